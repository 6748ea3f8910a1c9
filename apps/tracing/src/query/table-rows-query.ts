import type { SortBy } from '@heddle/core-api'
import { bind, digestsPerChunk, join, sql, type Sql } from '@heddle/datastore'
import { dynamicOrder } from './compile-sort.ts'
import { payloadText } from './fields/payload-text.ts'

/** Positions above which the engine compares hashes of digests: faster and in a third of the memory, but it then looks at all rows of the project. */
const manyPositions = 20_000

/** Positions of tables that are there. */
export interface TablePositions {
  projectId: string
  tables: readonly string[]
  /** About how many positions there are. */
  count: number
  /** Only these positions of each table. */
  range?: { start: number; end: number } | undefined
  /** Only positions with one of these row digests. */
  rowDigests?: readonly string[] | undefined
}

/** Rows `{ position, digest, bytes }` of the stored rows at the positions, in order; absent sort values are last. */
export function selectRows(
  positions: TablePositions,
  { sortBy, limit, offset }: { sortBy: readonly SortBy[]; limit: number; offset: number },
): Sql {
  const keys = sortBy.map(({ field }, index) => sql`, ${payloadText(sql`val`, field.split('.'))} AS ${keyName(index)}`)
  const order = sortBy.map(({ direction }, index) => {
    const key = keyName(index)
    return sql`${dynamicOrder(sql`isNotNull(${key})`, sql`ifNull(${key}, '')`, direction === 'asc' ? sql`ASC` : sql`DESC`)}, `
  })
  return sql`SELECT toFloat64(position) AS position, digest, bytes FROM (${rowsAt(positions, join(keys, sql``))}) AS stored INNER JOIN (${positionsOf(positions)}) AS listed ON stored.hash = listed.row_hash ORDER BY ${join(order, sql``)}position LIMIT ${bind('UInt64', limit)} OFFSET ${bind('UInt64', offset)}`
}

/** One row when some position has no stored row. */
export function findMissing(positions: TablePositions): Sql {
  const stored = sql`SELECT hash FROM (${rowsAt(positions, sql``)})`
  return sql`SELECT 1 AS missing FROM (${positionsOf(positions)}) WHERE row_hash NOT IN (${stored}) LIMIT 1`
}

/** Rows `{ table_digest, bytes }`: bytes of the stored rows, summed over the positions of each table; tables without any are omitted. */
export function sumBytes(positions: TablePositions): Sql {
  return sql`SELECT table_digest, sum(bytes) AS bytes FROM (${rowsAt(positions, sql``)}) AS stored INNER JOIN (${positionsOf(positions)}) AS listed ON stored.hash = listed.row_hash GROUP BY table_digest`
}

/** Distinct rows `{ table_digest, row_digest }` of the positions. */
export function distinctRows(positions: TablePositions): Sql {
  return sql`SELECT DISTINCT table_digest, row_digest FROM (${positionsOf(positions)})`
}

function keyName(index: number): Sql {
  return sql`${bind('Identifier', `key_${index}`)}`
}

/** The chunks in which the positions are, each once. */
function chunksOf({ projectId, tables, range }: TablePositions): Sql {
  const within =
    range === undefined ? sql`` : sql` AND start > ${bind('Int64', range.start - digestsPerChunk)} AND start < ${bind('Int64', range.end)}`
  return sql`SELECT digest AS table_digest, start, row_digests FROM heddle.tables WHERE project_id = ${bind('String', projectId)} AND digest IN ${bind('Array(String)', tables)}${within} LIMIT 1 BY digest, start`
}

/** Rows `{ table_digest, position, row_digest, row_hash }`. */
function positionsOf(positions: TablePositions): Sql {
  const { range, rowDigests } = positions
  const conditions = [
    ...(range ? [sql`position >= ${bind('UInt64', range.start)} AND position < ${bind('UInt64', range.end)}`] : []),
    ...(rowDigests ? [sql`row_digest IN ${bind('Array(String)', rowDigests)}`] : []),
  ]
  const where = conditions.length === 0 ? sql`` : sql` WHERE ${join(conditions, sql` AND `)}`
  return sql`SELECT table_digest, position, row_digest, sipHash128(row_digest) AS row_hash FROM (SELECT table_digest, start + at - 1 AS position, row_digest FROM (${chunksOf(positions)}) ARRAY JOIN row_digests AS row_digest, arrayEnumerate(row_digests) AS at)${where}`
}

/** Rows `{ digest, hash, bytes }` and `more` of the stored rows at the positions, each once. */
function rowsAt(positions: TablePositions, more: Sql): Sql {
  return sql`SELECT digest, sipHash128(digest) AS hash, toFloat64(val_bytes) AS bytes${more} FROM heddle.table_rows FINAL WHERE project_id = ${bind('String', positions.projectId)} AND ${isAt(positions)}`
}

function isAt(positions: TablePositions): Sql {
  if (positions.rowDigests) return sql`digest IN ${bind('Array(String)', positions.rowDigests)}`
  if (positions.count > manyPositions) return sql`sipHash128(digest) IN (SELECT row_hash FROM (${positionsOf(positions)}))`
  return sql`digest IN (SELECT row_digest FROM (${positionsOf(positions)}))`
}
