import { badRequest } from '@heddle/core-api/internal'
import { bind, join, sql, type Sql } from '@heddle/datastore'
import type { ValueOperand } from '../../compile/operands/operand.ts'
import { payloadText } from '../payload-text.ts'
import type { PayloadPath } from './read-payload.ts'
import { behindEdges, referenceParts, rowDigests, type ReferenceSource } from '../reference-parts.ts'

const maxJoins = 20

export interface ReferenceStep {
  /** Equal names share one join. */
  name: string
  /** Source of the ref texts. */
  from: ReferencePlace
  segments: readonly string[]
}

/** The context of the joins of one statement apart from the query. */
export interface ReferenceContext {
  source: ReferenceSource
  /** The text at a path of a call, as Nullable(String), in a statement without named parts. */
  textOf: (path: PayloadPath) => Sql
}

/** A text of each call that may be a ref. */
export interface ReferencePlace {
  /** Nullable(String) in the statement. */
  ref: Sql
  /** A statement with rows `{ ref }`: every text at this position in some call. */
  all: (context: ReferenceContext) => Sql
  /** Refs in calls may lead to table rows; refs inside values lead to objects and ops alone. */
  leadsToRows: boolean
}

/** Reads values through refs. Each distinct ref position and path becomes one join of the statement. */
export interface ReferenceJoins {
  /**
   * The text at a path of the target of a ref, as Nullable(String): NULL where the text is not a ref to an object, op or table row of the project,
   * the version does not exist, its edges lead nowhere or through another ref, or the path is missing or null. It may be the source of the next refs.
   * @throws 400 beyond 20 joins.
   */
  through(step: ReferenceStep): ReferencePlace
  /** A statement with rows `{ ref }` of all texts that may be refs to rows; undefined where nothing is read through such. */
  refsToRows(context: ReferenceContext): Sql | undefined
  /** The joins, in the order in which they depend on each other. */
  joins(context: ReferenceContext): Sql[]
}

export function createReferenceJoins(): ReferenceJoins {
  const joined = new Map<string, ReferenceJoin>()
  const toRows: ReferencePlace[] = []
  return {
    through(step) {
      const known = joined.get(step.name)
      if (known !== undefined) return known.place
      if (joined.size >= maxJoins) throw badRequest(`The query reads more than ${maxJoins} values through expand_columns: ask for fewer`)
      const made = joinValues(step, joined.size)
      joined.set(step.name, made)
      if (step.from.leadsToRows) toRows.push(step.from)
      return made.place
    },
    refsToRows(context) {
      if (toRows.length === 0) return undefined
      return join(
        toRows.map(({ all }) => all(context)),
        sql` UNION ALL `,
      )
    },
    joins: (context) => [...joined.values()].map(({ join }) => join(context)),
  }
}

interface ReferenceJoin {
  join: (context: ReferenceContext) => Sql
  place: ReferencePlace
}

function joinValues({ from, segments }: ReferenceStep, at: number): ReferenceJoin {
  const [ref, value] = [bind('Identifier', `ref_${at}`), bind('Identifier', `value_${at}`)]
  const valuesIn = (context: ReferenceContext) =>
    sql`SELECT ref AS ${ref}, ${payloadText(sql`part`, segments)} AS ${value} FROM (${partsOfValues(context, from)})`
  return {
    join: (context) => sql` LEFT ANY JOIN (${valuesIn(context)}) AS ${bind('Identifier', `reference_${at}`)} ON ${ref} = ${from.ref}`,
    place: {
      ref: sql`${value}`,
      all: (context) => sql`SELECT DISTINCT ifNull(${value}, '') AS ref FROM (${valuesIn(context)})`,
      leadsToRows: false,
    },
  }
}

/** Rows `{ ref, part }`: raw JSON text of the target of each ref. Tables have many rows, so only referenced ones are read. */
function partsOfValues(context: ReferenceContext, { all, leadsToRows }: ReferencePlace): Sql {
  const { source } = context
  const texts = all(context)
  const refs = referenceParts(source, texts)
  const project = bind('String', source.projectId)
  const objects = sql`SELECT 0 AS is_row, digest, val FROM heddle.object_values WHERE project_id = ${project} LIMIT 1 BY digest`
  const rows = sql`SELECT 1 AS is_row, digest, val FROM heddle.table_rows WHERE project_id = ${project} AND digest IN (${rowDigests(source, texts)}) LIMIT 1 BY digest`
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
