import { refScheme } from '@heddle/core-api/internal'
import { bind, sql, type Sql } from '@heddle/datastore'
import { listedTexts } from '../compile/operands/listed-texts.ts'

/** Where the refs of a query may lead. */
export interface ReferenceSource {
  /** `entity/project`. Refs into other projects do not resolve. */
  projectId: string
  /** Versions that are deleted, as `object/name:digest` or `op/name:digest`: refs to them do not resolve. */
  deletedVersions: readonly string[]
  /** Digests of the tables that the rows of `tablePlaces` lead to: refs to rows of other tables do not resolve. */
  tables: ReadonlyMap<string, string>
}

const version = '(?:object|op)/[^/:]+:[^/:]+'
const edge = '/(?:attr|key|index)/[^/]*'
const toTable = `(?:table/[^/:]+|${version}(?:${edge})*)`
const toRow = `${toTable}/id/`
/** The part after the project in a ref to a version or a table row, including following edges. */
const whole = `^(?:${toRow}[^/]+|${version})(?:${edge})*/?$`

/**
 * Parses refs. `refs` has rows `{ ref }`, and so has the answer for those of an object, an op or a table row of the project, with `is_row`, the
 * `digest` of the object or row, and the following edges as `steps` of name and value. A row exists if its table lists it.
 */
export function referenceParts(source: ReferenceSource, refs: Sql): Sql {
  const { projectId, deletedVersions } = source
  const ofProject = refsOfProject(projectId, refs)
  const isLive =
    deletedVersions.length === 0
      ? sql``
      : sql` AND extract(place, ${bind('String', `^${version}`)}) NOT IN (${listedTexts(deletedVersions)})`
  return sql`SELECT ref, row_digest != '' AS is_row, if(row_digest = '', extract(place, '^[^/]+/[^/]+:([^/]+)'), row_digest) AS digest,
    extractAllGroupsVertical(replaceRegexpOne(place, ${bind('String', `^(?:${toRow}[^/]+|${version})`)}, ''), '/(attr|key|index)/([^/]*)') AS steps
    FROM (SELECT ref, place, ${rowDigest} AS row_digest FROM (${ofProject})) WHERE match(place, ${bind('String', whole)})${isLive} AND (row_digest = '' OR ${isListed(source)})`
}

/** Whether the table of `place` lists `row_digest`. Hashes take a fifth of the memory of digests. */
function isListed({ projectId, tables }: ReferenceSource): Sql {
  if (tables.size === 0) return sql`0`
  const [places, digests] = [[...tables.keys()], [...tables.values()]]
  const listedRows = sql`SELECT sipHash128(digest, arrayJoin(row_digests)) FROM heddle.tables
    WHERE project_id = ${bind('String', projectId)} AND digest IN (${listedTexts([...new Set(digests)])})`
  const table = sql`transform(${tablePlace}, splitByChar('\n', ${bind('String', places.join('\n'))}), splitByChar('\n', ${bind('String', digests.join('\n'))}), '')`
  return sql`sipHash128(${table}, row_digest) IN (${listedRows})`
}

/** Rows `{ table_place }`: each distinct part before `/id/` in some of the refs, as `table/digest` or a version with its edges; at most `limit`. */
export function tablePlaces(projectId: string, refs: Sql, limit: number): Sql {
  return sql`SELECT DISTINCT ${tablePlace} AS table_place FROM (${refsOfProject(projectId, refs)}) WHERE table_place != '' LIMIT ${bind('UInt64', limit)}`
}

/** Digests of the table rows to which some of the refs may lead. */
export function rowDigests({ projectId }: ReferenceSource, refs: Sql): Sql {
  return sql`SELECT ${rowDigest} FROM (${refsOfProject(projectId, refs)}) WHERE position(place, '/id/') > 0`
}

/** Raw JSON text behind the edges of a ref, from the text of its object or row; empty where there is nothing. */
export function behindEdges(json: Sql): Sql {
  const element = sql`if(JSONType(t) = 'Array' AND NOT startsWith(e[2], '-'), JSONExtractRaw(t, toInt64OrZero(e[2]) + 1), '')`
  const member = sql`if(JSONType(t) = 'Object', JSONExtractRaw(t, decodeURLComponent(e[2])), '')`
  return sql`arrayFold((t, e) -> if(e[1] = 'index', ${element}, ${member}), steps, ${json})`
}

const tablePlace = sql`extract(place, ${bind('String', `^(${toTable})/id/`)})`

const rowDigest = sql`decodeURLComponent(extract(place, ${bind('String', `^${toRow}([^/]+)`)}))`

/** Rows `{ ref, place }`: the refs into the project, and their part after the project. */
function refsOfProject(projectId: string, refs: Sql): Sql {
  const start = `${refScheme}${projectId}/`
  return sql`SELECT ref, substringUTF8(ref, ${bind('UInt64', [...start].length + 1)}) AS place FROM (${refs}) WHERE startsWith(ref, ${bind('String', start)})`
}
