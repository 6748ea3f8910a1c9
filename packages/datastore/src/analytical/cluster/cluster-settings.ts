import type { ClickHouseSettings } from '@clickhouse/client'

/**
 * Settings of inserts into a cluster: an acknowledged row is on its shard and on most of its replicas, whichever server took it. Inserts of one table
 * are sequential there; otherwise a consistent read could not know which rows it must see. Single servers ignore these settings.
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
