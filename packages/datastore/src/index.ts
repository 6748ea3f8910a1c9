export {
  StoreError,
  type Analytical,
  type AnalyticalHealth,
  type QueryLimits,
  type QueryOptions,
  type RowBlock,
  type StoreErrorKind,
} from './analytical/analytical.ts'
export { createClickHouseStore, type ClickHouseStoreOptions, type CommitLimits } from './analytical/clickhouse-store.ts'
export { startEngine, type Engine, type EngineOptions } from './analytical/engine/engine.ts'
export { rowEncoder, type RowEncoder } from './analytical/row-binary.ts'
export { bind, join, render, sql, type Param, type ParamType, type ParamValue, type RenderedSql, type Sql } from './analytical/sql.ts'
export { defineTable, type Column, type ColumnType, type Micros, type RowOf, type Table } from './analytical/table.ts'
export { callsTable, type CallRow } from './analytical/tables/calls.ts'
export { objectValuesTable, type ObjectValueRow } from './analytical/tables/object-values.ts'
