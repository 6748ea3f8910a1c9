import { badRequest, refScheme } from '@heddle/core-api'
import { bind, sql, type Sql } from '@heddle/datastore'
import type { ValueOperand } from './operand.ts'
import { payloadText } from './payload-text.ts'

const maxJoins = 20

/** What stands after the project in a ref to an object or op as a whole; the digest is the group. */
const wholeVersion = '^(?:object|op)/[^/:]+:([^/:]+)$'

export interface ReferenceSource {
  /** `entity/project`. Refs into other projects do not resolve. */
  projectId: string
  /** Versions that are deleted, as `object/name:digest` or `op/name:digest`: refs to them do not resolve. */
  deletedVersions: readonly string[]
}

/** Reads values through refs. Each distinct ref position and path becomes one join of the statement. */
export interface ReferenceJoins {
  /**
   * The text at a path of the object to which a ref text points, as Nullable(String): NULL where the text is no ref to an object or op
   * of the project, the version is not there, or the path is missing or null. Equal `name`s share one join.
   * @throws 400 beyond 20 joins.
   */
  through(step: { name: string; ref: Sql; segments: readonly string[] }): Sql
  /** The joins, in the order in which they depend on each other. */
  joins(): Sql[]
}

export function createReferenceJoins(source: ReferenceSource): ReferenceJoins {
  const joined = new Map<string, Sql>()
  return {
    through({ name, ref, segments }) {
      const at = joined.size
      if (joined.has(name)) return valueOf([...joined.keys()].indexOf(name))
      if (at >= maxJoins) throw badRequest(`The query reads more than ${maxJoins} values through expand_columns: ask for fewer`)
      joined.set(name, joinValues(source, { at, ref, segments }))
      return valueOf(at)
    },
    joins: () => [...joined.values()],
  }
}

function valueOf(at: number): Sql {
  return sql`${bind('Identifier', `value_${at}`)}`
}

function joinValues(source: ReferenceSource, { at, ref, segments }: { at: number; ref: Sql; segments: readonly string[] }): Sql {
  const digest = bind('Identifier', `digest_${at}`)
  const values = sql`SELECT digest AS ${digest}, ${payloadText(sql`val`, segments)} AS ${valueOf(at)} FROM heddle.object_values WHERE project_id = ${bind('String', source.projectId)} LIMIT 1 BY digest`
  return sql` LEFT ANY JOIN (${values}) AS ${bind('Identifier', `reference_${at}`)} ON ${digest} = ${digestOf(source, ref)}`
}

/** The digest in a ref text, empty where it does not resolve. */
function digestOf({ projectId, deletedVersions }: ReferenceSource, ref: Sql): Sql {
  const start = `${refScheme}${projectId}/`
  const version = sql`if(startsWith(ifNull(${ref}, ''), ${bind('String', start)}), substringUTF8(ifNull(${ref}, ''), ${bind('UInt64', [...start].length + 1)}), '')`
  const digest = sql`extract(${version}, ${bind('String', wholeVersion)})`
  return deletedVersions.length === 0 ? digest : sql`if(${version} IN ${bind('Array(String)', deletedVersions)}, '', ${digest})`
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
