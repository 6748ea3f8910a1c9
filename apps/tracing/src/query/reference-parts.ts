import { refScheme } from '@heddle/core-api'
import { bind, sql, type Sql } from '@heddle/datastore'

/** Where the refs of a query may lead. */
export interface ReferenceSource {
  /** `entity/project`. Refs into other projects do not resolve. */
  projectId: string
  /** Versions that are deleted, as `object/name:digest` or `op/name:digest`: refs to them do not resolve. */
  deletedVersions: readonly string[]
}

const version = '(?:object|op)/[^/:]+:[^/:]+'
const edge = '/(?:attr|key|index)/[^/]*'
const toRow = `(?:table/[^/:]+|${version}(?:${edge})*)/id/`
/** What stands after the project in a ref to a version or a table row, edges behind it included. */
const whole = `^(?:${toRow}[^/]+|${version})(?:${edge})*/?$`

/**
 * Takes refs apart. `refs` has rows `{ ref }`, and so has the answer for those of an object, an op or a table row of the project, with
 * `is_row`, the `digest` of the object or row, and the edges behind it as `steps` of name and place. Rows are found by their digest alone.
 */
export function referenceParts({ projectId, deletedVersions }: ReferenceSource, refs: Sql): Sql {
  const ofProject = refsOfProject(projectId, refs)
  const isLive =
    deletedVersions.length === 0 ? sql`` : sql` AND extract(place, ${bind('String', `^${version}`)}) NOT IN (${listed(deletedVersions)})`
  return sql`SELECT ref, row_digest != '' AS is_row, if(row_digest = '', extract(place, '^[^/]+/[^/]+:([^/]+)'), row_digest) AS digest,
    extractAllGroupsVertical(replaceRegexpOne(place, ${bind('String', `^(?:${toRow}[^/]+|${version})`)}, ''), '/(attr|key|index)/([^/]*)') AS steps
    FROM (SELECT ref, place, ${rowDigest} AS row_digest FROM (${ofProject})) WHERE match(place, ${bind('String', whole)})${isLive}`
}

/** Rows of texts without line breaks, from one text: the engine takes far longer to read a list of a hundred thousand. */
function listed(texts: readonly string[]): Sql {
  return sql`SELECT arrayJoin(splitByChar('\n', ${bind('String', texts.join('\n'))}))`
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

const rowDigest = sql`decodeURLComponent(extract(place, ${bind('String', `^${toRow}([^/]+)`)}))`

/** Rows `{ ref, place }`: the refs into the project, and what stands after the project in them. */
function refsOfProject(projectId: string, refs: Sql): Sql {
  const start = `${refScheme}${projectId}/`
  return sql`SELECT ref, substringUTF8(ref, ${bind('UInt64', [...start].length + 1)}) AS place FROM (${refs}) WHERE startsWith(ref, ${bind('String', start)})`
}
