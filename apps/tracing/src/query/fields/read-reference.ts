import { badRequest } from '@heddle/core-api/internal'
import { bind, join, sql, type Sql } from '@heddle/datastore'
import type { ValueOperand } from '../compile/operand.ts'
import { payloadText } from './payload-text.ts'
import { behindEdges, referenceParts, rowDigests, type ReferenceSource } from './reference-parts.ts'

const maxJoins = 20

export interface ReferenceStep {
  /** Equal names share one join. */
  name: string
  /** Where the ref texts stand. */
  from: ReferencePlace
  segments: readonly string[]
}

/** A text of each call that may be a ref. */
export interface ReferencePlace {
  /** Nullable(String) in the statement. */
  ref: Sql
  /** A statement with rows `{ ref }`: every text that stands there in some call. */
  all: Sql
  /** Refs in calls may lead to table rows; refs inside values lead to objects and ops alone. */
  leadsToRows: boolean
}

/** Reads values through refs. Each distinct ref position and path becomes one join of the statement. */
export interface ReferenceJoins {
  /**
   * The text at a path of what a ref leads to, as Nullable(String): NULL where the text is no ref to an object, op or table row
   * of the project, the version is not there, its edges lead nowhere or through another ref, or the path is missing or null.
   * It may be the place of the next refs.
   * @throws 400 beyond 20 joins.
   */
  through(step: ReferenceStep): ReferencePlace
  /** A statement with rows `{ ref }` of all texts that may be refs to rows; undefined where nothing is read through such. */
  refsToRows(): Sql | undefined
  /** The joins, in the order in which they depend on each other. */
  joins(): Sql[]
}

export function createReferenceJoins(source: ReferenceSource): ReferenceJoins {
  const joined = new Map<string, { join: Sql; place: ReferencePlace }>()
  const toRows: Sql[] = []
  return {
    through(step) {
      const known = joined.get(step.name)
      if (known !== undefined) return known.place
      if (joined.size >= maxJoins) throw badRequest(`The query reads more than ${maxJoins} values through expand_columns: ask for fewer`)
      const made = joinValues(source, step, joined.size)
      joined.set(step.name, made)
      if (step.from.leadsToRows) toRows.push(step.from.all)
      return made.place
    },
    refsToRows: () => (toRows.length === 0 ? undefined : join(toRows, sql` UNION ALL `)),
    joins: () => [...joined.values()].map(({ join }) => join),
  }
}

function joinValues(source: ReferenceSource, { from, segments }: ReferenceStep, at: number): { join: Sql; place: ReferencePlace } {
  const [ref, value] = [bind('Identifier', `ref_${at}`), bind('Identifier', `value_${at}`)]
  const values = sql`SELECT ref AS ${ref}, ${payloadText(sql`part`, segments)} AS ${value} FROM (${partsOfValues(source, from)})`
  return {
    join: sql` LEFT ANY JOIN (${values}) AS ${bind('Identifier', `reference_${at}`)} ON ${ref} = ${from.ref}`,
    place: { ref: sql`${value}`, all: sql`SELECT DISTINCT ifNull(${value}, '') AS ref FROM (${values})`, leadsToRows: false },
  }
}

/** Rows `{ ref, part }`: raw JSON text of what each ref leads to. Rows of tables are many, so only those are read to which a ref leads. */
function partsOfValues(source: ReferenceSource, { all, leadsToRows }: ReferencePlace): Sql {
  const refs = referenceParts(source, all)
  const project = bind('String', source.projectId)
  const objects = sql`SELECT 0 AS is_row, digest, val FROM heddle.object_values WHERE project_id = ${project} LIMIT 1 BY digest`
  const rows = sql`SELECT 1 AS is_row, digest, val FROM heddle.table_rows WHERE project_id = ${project} AND digest IN (${rowDigests(source, all)}) LIMIT 1 BY digest`
  const stored = leadsToRows
    ? sql`SELECT is_row, digest, val FROM (${objects}) UNION ALL SELECT is_row, digest, val FROM (${rows})`
    : objects
  return sql`SELECT ref, ${behindEdges(sql`val`)} AS part FROM (${stored}) AS stored INNER JOIN (${refs}) AS refs ON stored.digest = refs.digest AND stored.is_row = refs.is_row`
}

/** A field that was read through a ref: unlike other dynamic fields its absence is NULL. */
export function referencedOperand(value: Sql): ValueOperand {
  return {
    kind: 'value',
    type: 'text',
    sql: value,
    present: sql`isNotNull(${value})`,
    isField: true,
    takesTypeOfLiteral: true,
    order: 'dynamic',
  }
}
