import type { Queries } from '../analytical.ts'
import { sql } from '../sql.ts'

/** The range of block numbers in a part: each insert gets the next number, and a merged part covers those of its source parts. */
export interface BlockRange {
  table: string
  partition: string
  minBlock: number
  maxBlock: number
}

/** An active part of a table. */
export interface TablePart extends BlockRange {
  name: string
  /** Id of the table; a recreated table has a new one. */
  tableId: string
  rows: number
  /** Number of the last mutation that was applied to it. */
  dataVersion: number
  /** Seconds since 1970 at which the last of its rows expires; 0 for never. */
  expiresAt: number
}

/** A part that the engine detached because it cannot read it. Queries do not see its rows. */
export interface DetachedPart extends BlockRange {
  name: string
  /** The engine's name for it, such as `broken-on-start`. */
  reason: string
  /** The folder of its files, on the engine's machine. */
  path: string
}

/** The active parts of all tables. */
export function readTableParts(queries: Pick<Queries, 'rows'>): Promise<TablePart[]> {
  return queries.rows<TablePart>(sql`SELECT table, partition_id AS partition, name, toString(tables.uuid) AS tableId,
    toFloat64(min_block_number) AS minBlock, toFloat64(max_block_number) AS maxBlock, toFloat64(rows) AS rows, toFloat64(data_version) AS dataVersion,
    toFloat64(toUnixTimestamp(delete_ttl_info_max)) AS expiresAt
    FROM system.parts INNER JOIN system.tables AS tables ON tables.database = parts.database AND tables.name = parts.table
    WHERE active AND parts.database = currentDatabase() ORDER BY table, partition, minBlock`)
}

/** The parts that the engine detached as damaged; not those detached manually or available on a replica. */
export function readDetachedParts(queries: Pick<Queries, 'rows'>): Promise<DetachedPart[]> {
  return queries.rows<DetachedPart>(sql`SELECT table, ifNull(partition_id, '') AS partition, name, ifNull(reason, '') AS reason, path,
    toFloat64(ifNull(min_block_number, 0)) AS minBlock, toFloat64(ifNull(max_block_number, 0)) AS maxBlock
    FROM system.detached_parts
    WHERE database = currentDatabase() AND (position(reason, 'broken') > 0 OR reason IN ('unexpected', 'noquorum')) ORDER BY table, name`)
}

/** Number of the last delete mutation of each table: it applies to parts with a lower `dataVersion`. */
export async function readLastDeletions(queries: Pick<Queries, 'rows'>): Promise<ReadonlyMap<string, number>> {
  const found = await queries.rows<{
    table: string
    number: number
  }>(sql`SELECT table, toFloat64(max(arrayMax(block_numbers.number))) AS number
    FROM system.mutations WHERE database = currentDatabase() AND position(command, 'DELETE') > 0 GROUP BY table`)
  return new Map(found.map(({ table, number }) => [table, number]))
}
