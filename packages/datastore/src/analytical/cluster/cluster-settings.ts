import type { ClickHouseSettings } from '@clickhouse/client'

/**
 * Of inserts into a cluster: acknowledged means that the rows are on their shard and on most of its replicas, whichever server took them.
 * Inserts of one table follow each other there, without which a consistent read could not tell what it must see. Single servers ignore them.
 */
export const clusterInsertSettings = {
  distributed_foreground_insert: 1,
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  insert_quorum_timeout: 30_000,
} as const satisfies ClickHouseSettings

/** Of reads on whose result a write is based: a replica that lacks acknowledged rows refuses, and the read is repeated. */
export const consistentReadSettings = { select_sequential_consistency: '1' } as const satisfies ClickHouseSettings

/** Of statements that change or delete rows: done on every replica when they return. */
export const clusterChangeSettings = { mutations_sync: '2' } as const satisfies ClickHouseSettings
