import { databaseName } from './engine/engine-config.ts'
import { partSettings } from './tables/part-settings.ts'
import type { Column, DerivedColumn, Table } from './table.ts'

/** How tables are kept: in the one embedded engine, or as replicas on the shards of a cluster. */
export type StoreKind = 'embedded' | 'replicated'

const cluster = '{cluster}'

function columnType(column: Column): string {
  switch (column.type) {
    case 'JSON':
      return 'JSON(max_dynamic_paths=256)'
    // The zone is explicit: partitions must not depend on the location of a server.
    case 'DateTime64(6)':
      return "DateTime64(6, 'UTC')"
    case 'Nullable(DateTime64(6))':
      return "Nullable(DateTime64(6, 'UTC'))"
    default:
      return column.type
  }
}

function engine(kind: StoreKind, table: Table): string {
  const versions = [table.versionColumn, table.deletedColumn].filter((name) => name !== undefined).join(', ')
  if (kind === 'embedded') return `ReplacingMergeTree(${versions})`
  return `ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{uuid}', '{replica}', ${versions})`
}

function withCodec(definition: string, codec: string | undefined): string {
  return codec ? `${definition} CODEC(${codec})` : definition
}

function derivedColumn(name: string, { type, from, codec }: DerivedColumn): string {
  return withCodec(`${name} ${type} MATERIALIZED ${from}`, codec)
}

function createLocal(kind: StoreKind, table: Table, name: string): string {
  const columns = Object.entries(table.columns).map(([column, about]) => withCodec(`${column} ${columnType(about)}`, about.codec))
  const derived = Object.entries(table.derived ?? {}).map(([column, about]) => derivedColumn(column, about))
  const lines = [...columns, ...derived, ...(table.indexes ?? [])].map((line) => `  ${line}`)
  return [
    `CREATE TABLE IF NOT EXISTS ${databaseName}.${name}${kind === 'replicated' ? ` ON CLUSTER '${cluster}'` : ''} (`,
    lines.join(',\n'),
    `) ENGINE = ${engine(kind, table)}`,
    ...(table.partitionBy ? [`PARTITION BY ${table.partitionBy}`] : []),
    `ORDER BY ${table.orderBy}`,
    ...(table.ttl ? [`TTL ${table.ttl}`] : []),
    `SETTINGS ${[...(table.settings ? [table.settings] : []), assignments(partSettings)].join(', ')}`,
  ].join('\n')
}

/**
 * The statements that create a table, in order; each may be repeated. In a cluster the rows live in `<name>_local`
 * and `<name>` spreads them by the table's sharding key, so that all versions of a row meet on one shard.
 */
export function tableDefinition(kind: StoreKind, table: Table): string[] {
  if (kind === 'embedded') return [createLocal(kind, table, table.name)]
  const local = localName(table.name)
  return [
    createLocal(kind, table, local),
    `CREATE TABLE IF NOT EXISTS ${databaseName}.${table.name} ON CLUSTER '${cluster}' AS ${databaseName}.${local} ENGINE = Distributed('${cluster}', '${databaseName}', '${local}', ${table.shardingKey})`,
  ]
}

/** The table of a cluster that holds the rows of one server. */
export const localName = (name: string) => `${name}_local`

/** The table that holds the rows, as a statement that changes them names it. */
export function localTable(kind: StoreKind, name: string): string {
  return kind === 'embedded' ? `${databaseName}.${name}` : `${databaseName}.${localName(name)} ON CLUSTER '${cluster}'`
}

/** The statement that changes settings of an existing table, for its future parts. It may be repeated. */
export function settingsChange(kind: StoreKind, name: string, settings: Readonly<Record<string, number>>): string {
  return `ALTER TABLE ${localTable(kind, name)} MODIFY SETTING ${assignments(settings)}`
}

function assignments(settings: Readonly<Record<string, number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
}

/** The statement that changes when rows of a table expire, including existing rows. It may be repeated. */
export function ttlChange(kind: StoreKind, { name, ttl }: { name: string; ttl: string }): string {
  return `ALTER TABLE ${localTable(kind, name)} MODIFY TTL ${ttl}`
}

/** The statement that gives a column the codec of its definition, in parts that are written from then on. It may be repeated. */
export function columnCodec(kind: StoreKind, { name, columns }: Table, column: string): string {
  const codec = columns[column]?.codec
  if (codec === undefined) throw new Error(`column ${name}.${column} has no codec`)
  return `ALTER TABLE ${localTable(kind, name)} MODIFY COLUMN ${column} CODEC(${codec})`
}

type DerivedTable = Pick<Table, 'name' | 'derived'>

/** The statements that give a table its derived columns, in order; each may be repeated. For existing rows they are computed by each query. */
export function derivedColumns(kind: StoreKind, table: DerivedTable): string[] {
  return alterDerived(kind, table, 'ADD COLUMN IF NOT EXISTS')
}

/**
 * The statements that give derived columns the expression of their definition; each may be repeated. Existing rows keep the values of the expression before
 * until `filledColumns` has changed them. No column is dropped: none could be as long as an earlier migration fills it.
 */
export function changedColumns(kind: StoreKind, table: DerivedTable): string[] {
  return alterDerived(kind, table, 'MODIFY COLUMN')
}

function alterDerived(kind: StoreKind, { name, derived = {} }: DerivedTable, change: string): string[] {
  return Object.entries(derived).flatMap(([column, about]) =>
    queriedTables(kind, name).map((table) => `ALTER TABLE ${table} ${change} ${derivedColumn(column, about)}`),
  )
}

/** The tables that must have a column before it can be queried: in a cluster also the distributed one. */
function queriedTables(kind: StoreKind, name: string): string[] {
  return kind === 'embedded' ? [localTable(kind, name)] : [localTable(kind, name), `${databaseName}.${name} ON CLUSTER '${cluster}'`]
}

/** The statements that give a table the columns that its first versions did not have, in order; each may be repeated. Existing rows have the empty value of their type. */
export function addedColumns(kind: StoreKind, { name, columns, added = [] }: Table): string[] {
  return added.flatMap((column) => {
    const about = columns[column]
    if (about === undefined) throw new Error(`table ${name} has no column ${column}`)
    const definition = withCodec(`${column} ${columnType(about)}`, about.codec)
    return queriedTables(kind, name).map((table) => `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${definition}`)
  })
}

/** The statement that adds an index of a table's definition for rows that are written from then on. It may be repeated. */
export function addedIndex(kind: StoreKind, table: Table, index: string): string {
  const definition = table.indexes?.find((each) => each.startsWith(`INDEX ${index} `))
  if (definition === undefined) throw new Error(`table ${table.name} has no index ${index}`)
  return `ALTER TABLE ${localTable(kind, table.name)} ADD ${definition.replace('INDEX', 'INDEX IF NOT EXISTS')}`
}

/** The statement that builds an index for existing rows; it may be repeated. */
export function filledIndex(kind: StoreKind, { name }: Table, index: string): string {
  return `ALTER TABLE ${localTable(kind, name)} MATERIALIZE INDEX ${index}`
}

/** The statements that store the derived columns of rows that are there; each may be repeated. */
export function filledColumns(kind: StoreKind, { name, derived = {} }: Pick<Table, 'name' | 'derived'>): string[] {
  return Object.keys(derived).map((column) => `ALTER TABLE ${localTable(kind, name)} MATERIALIZE COLUMN ${column}`)
}

/** The statement that creates the database of all tables. */
export function databaseDefinition(kind: StoreKind): string {
  return `CREATE DATABASE IF NOT EXISTS ${databaseName}${kind === 'replicated' ? ` ON CLUSTER '${cluster}'` : ''}`
}
