import { expect, test } from 'vitest'
import { defineTable } from './table.ts'
import {
  columnCodec,
  databaseDefinition,
  derivedColumns,
  filledColumns,
  localTable,
  settingsChange,
  tableDefinition,
} from './table-definition.ts'

const table = defineTable({
  name: 'notes',
  columns: {
    project_id: { type: 'LowCardinality(String)' },
    at: { type: 'DateTime64(6)', codec: 'Delta, ZSTD(1)' },
    until: { type: 'Nullable(DateTime64(6))' },
    idx: { type: 'JSON' },
    version: { type: 'UInt64' },
    is_deleted: { type: 'UInt8' },
  },
  derived: { size: { type: 'UInt64', codec: 'ZSTD(1)', from: 'length(project_id)' } },
  versionColumn: 'version',
  deletedColumn: 'is_deleted',
  partitionBy: 'toYYYYMM(at)',
  orderBy: '(project_id, at)',
  shardingKey: 'cityHash64(project_id)',
  indexes: ['INDEX by_end until TYPE minmax GRANULARITY 1'],
  ttl: 'toDateTime(at)',
  settings: 'index_granularity=512',
})

const columns = `  project_id LowCardinality(String),
  at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
  until Nullable(DateTime64(6, 'UTC')),
  idx JSON(max_dynamic_paths=256),
  version UInt64,
  is_deleted UInt8,
  size UInt64 MATERIALIZED length(project_id) CODEC(ZSTD(1)),
  INDEX by_end until TYPE minmax GRANULARITY 1`

const partSettingsText =
  'fsync_after_insert=1, fsync_part_directory=1, min_rows_to_fsync_after_merge=1, min_compressed_bytes_to_fsync_after_fetch=1, old_parts_lifetime=0, cleanup_delay_period=5, max_cleanup_delay_period=10, cleanup_delay_period_random_add=0'

const end = `PARTITION BY toYYYYMM(at)
ORDER BY (project_id, at)
TTL toDateTime(at)
SETTINGS index_granularity=512, ${partSettingsText}`

test('an embedded table is one table', () => {
  expect(tableDefinition('embedded', table)).toEqual([
    `CREATE TABLE IF NOT EXISTS heddle.notes (\n${columns}\n) ENGINE = ReplacingMergeTree(version, is_deleted)\n${end}`,
  ])
  expect(databaseDefinition('embedded')).toBe('CREATE DATABASE IF NOT EXISTS heddle')
})

test('in a cluster the same columns are replicated on each shard and reached through a distributed table', () => {
  expect(tableDefinition('replicated', table)).toEqual([
    `CREATE TABLE IF NOT EXISTS heddle.notes_local ON CLUSTER '{cluster}' (\n${columns}\n) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{uuid}', '{replica}', version, is_deleted)\n${end}`,
    "CREATE TABLE IF NOT EXISTS heddle.notes ON CLUSTER '{cluster}' AS heddle.notes_local ENGINE = Distributed('{cluster}', 'heddle', 'notes_local', cityHash64(project_id))",
  ])
  expect(databaseDefinition('replicated')).toBe("CREATE DATABASE IF NOT EXISTS heddle ON CLUSTER '{cluster}'")
})

test('rows are mutated in the local tables, on all shards of a cluster', () => {
  expect(localTable('embedded', 'notes')).toBe('heddle.notes')
  expect(localTable('replicated', 'notes')).toBe("heddle.notes_local ON CLUSTER '{cluster}'")
})

test('derived columns are added to an existing table, in a cluster also to the distributed table', () => {
  const column = 'ADD COLUMN IF NOT EXISTS size UInt64 MATERIALIZED length(project_id) CODEC(ZSTD(1))'
  expect(derivedColumns('embedded', table)).toEqual([`ALTER TABLE heddle.notes ${column}`])
  expect(derivedColumns('replicated', table)).toEqual([
    `ALTER TABLE heddle.notes_local ON CLUSTER '{cluster}' ${column}`,
    `ALTER TABLE heddle.notes ON CLUSTER '{cluster}' ${column}`,
  ])
  expect(filledColumns('embedded', table)).toEqual(['ALTER TABLE heddle.notes MATERIALIZE COLUMN size'])
  expect(filledColumns('replicated', table)).toEqual(["ALTER TABLE heddle.notes_local ON CLUSTER '{cluster}' MATERIALIZE COLUMN size"])
})

test('settings are changed on the local tables, on all shards of a cluster', () => {
  const settings = { old_parts_lifetime: 0, cleanup_delay_period: 5 }
  expect(settingsChange('embedded', 'notes', settings)).toBe(
    'ALTER TABLE heddle.notes MODIFY SETTING old_parts_lifetime=0, cleanup_delay_period=5',
  )
  expect(settingsChange('replicated', 'notes', settings)).toBe(
    "ALTER TABLE heddle.notes_local ON CLUSTER '{cluster}' MODIFY SETTING old_parts_lifetime=0, cleanup_delay_period=5",
  )
})

test('a column of an existing table gets the codec of its definition on the local tables', () => {
  expect(columnCodec('embedded', table, 'at')).toBe('ALTER TABLE heddle.notes MODIFY COLUMN at CODEC(Delta, ZSTD(1))')
  expect(columnCodec('replicated', table, 'at')).toBe(
    "ALTER TABLE heddle.notes_local ON CLUSTER '{cluster}' MODIFY COLUMN at CODEC(Delta, ZSTD(1))",
  )
  expect(() => columnCodec('embedded', table, 'idx')).toThrow('column notes.idx has no codec')
})

test('a table without derived columns, deletes, partitions, indexes, a TTL and settings has none in its definition', () => {
  const {
    derived: _derived,
    deletedColumn: _deleted,
    partitionBy: _partition,
    indexes: _indexes,
    ttl: _ttl,
    settings: _settings,
    ...plain
  } = table
  expect(derivedColumns('embedded', plain)).toEqual([])
  const text = tableDefinition('embedded', plain)[0]
  expect(text).toContain('ReplacingMergeTree(version)\nORDER BY')
  expect(text).not.toMatch(/MATERIALIZED|PARTITION|INDEX|TTL/)
  expect(text).toContain(`ORDER BY (project_id, at)\nSETTINGS ${partSettingsText}`)
})
