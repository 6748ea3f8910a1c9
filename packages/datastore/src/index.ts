export type {
  Analytical,
  AnalyticalHealth,
  BlockLimits,
  DeletingAnalytical,
  Queries,
  QueryLimits,
  RowBlock,
  ScopedAnalytical,
} from './analytical/analytical.ts'
export { StoreError, type StoreErrorKind } from './work/store-error.ts'
export { serverChange, serverWork, sharedWork, type StatementPermits, type Tenant, type WorkScope } from './work/work-scope.ts'
export type { BegunStatement, TraceStatement, StatementSpan } from './analytical/queries/trace-statement.ts'
export { examineCluster, type FoundCluster, prepareCluster } from './analytical/cluster/prepare-cluster.ts'
export { createClickHouseStore, type ClickHouseStoreOptions, type BatchLimits } from './analytical/clickhouse-store.ts'
export { examineJournals } from './analytical/journal/examine-journals.ts'
export { type JournalDamage, readDamageReports } from './analytical/journal/journal-damage.ts'
export type { LostPart } from './analytical/parts/lost-parts.ts'
export {
  createPartLedger,
  damagedNotesName,
  examineParts,
  type PartLedger,
  readLostParts,
  type TableDamage,
} from './analytical/parts/part-ledger.ts'
export { type DetachedPart, readDetachedParts } from './analytical/parts/table-parts.ts'
export { type CheckedPart, checkAllParts, detachPart } from './analytical/parts/check-parts.ts'
export type { RefusedRows } from './analytical/writes/journaled-batcher.ts'
export {
  copiedTables,
  copyTable,
  restoreTable,
  sizeOfTables,
  tablesAfterRelational,
  tablesBeforeRelational,
  type CopiedTable,
  type TableCopy,
  type TablePart,
} from './analytical/maintenance/copy-tables.ts'
export { connectEngine } from './analytical/engine/connect-engine.ts'
export { startEngine, type Engine, type EngineOptions } from './analytical/engine/engine.ts'
export { hugeNumber, jsonTokens } from './analytical/rows/json-numbers.ts'
export { rowEncoder, rowEncoders, type EncodableRow, type RowEncoder } from './analytical/rows/row-binary.ts'
export { emptyRow } from './analytical/rows/empty-row.ts'
export { inParts } from './in-parts.ts'
export { joinRows } from './analytical/rows/join-rows.ts'
export { columnsExcept, rowDecoder, type AnsweredRow, type RowDecoder } from './analytical/rows/row-decoder.ts'
export { rowTemplate, type RowTemplate, type RowValues, type Slot, type TextPart } from './analytical/rows/row-template.ts'
export { rowReader, type OpenRow, type RowReader } from './analytical/rows/row-reader.ts'
export { bind, join, render, sql, type Param, type ParamType, type ParamValue, type RenderedSql, type Sql } from './analytical/sql.ts'
export { defineTable, type Column, type ColumnType, type RowOf, type Table } from './analytical/table.ts'
export type { Micros } from './micros.ts'
export { callsTable, type CallRow } from './analytical/tables/calls.ts'
export { deletedCallsTable, type DeletedCallRow } from './analytical/tables/deleted-calls.ts'
export { spanScopeMark } from './analytical/tables/span-scope-column.ts'
export type { DeriveTraces, DerivingStore } from './analytical/derived/derivation.ts'
export type { TouchedTrace } from './analytical/derived/touched-trace.ts'
export { mergeTouched, tracesOfCalls } from './analytical/derived/touched-traces.ts'
export { tracesTable, type TraceRow } from './analytical/tables/traces.ts'
export { usageTable, type UsageRow } from './analytical/tables/usage.ts'
export { feedbackTable, type FeedbackRow } from './analytical/tables/feedback.ts'
export { objectValuesTable, type ObjectValueRow } from './analytical/tables/object-values.ts'
export { tableRowsTable, type TableRow } from './analytical/tables/table-rows.ts'
export { digestsPerChunk, tablesTable, type TableChunkRow } from './analytical/tables/tables.ts'
export { readStoreKind } from './analytical/store-kind.ts'
export { derivedTableSteps, migrateAnalytical, type MigrateAnalyticalOptions } from './analytical/maintenance/migrate-analytical.ts'
export type { StoreKind } from './analytical/table-definition.ts'
export { sweepTombstones, type TombstoneSweep } from './analytical/maintenance/sweep-tombstones.ts'
export { setTextIndex, type TextIndexOptions } from './analytical/text-index.ts'
export { checkReferences, type ReferenceCheck, type ReferenceStores } from './backup/check-references.ts'
export type { BlobDigest, Blobs, BlobStat, BlobReadOptions, StoredBlob, StagedBlob } from './blobs/blobs.ts'
export { fileBlobs } from './blobs/file-blobs.ts'
export { s3Blobs, type S3BlobsOptions } from './blobs/s3-blobs.ts'
export type { S3Bucket } from './blobs/s3-requests.ts'
export { bucketFiles, type BucketFilesOptions } from './object-files/bucket-files.ts'
export { folderFiles } from './object-files/folder-files.ts'
export type { ObjectFiles } from './object-files/object-files.ts'
export { removeReleased, type ReleasedBlobs } from './blobs/remove-released.ts'
export { blobKey, sweepBlobs, type BlobSweep, type SweptBlobs } from './blobs/sweep-blobs.ts'
export { createDiskSpaceCheck, type DiskSpace, diskFullError, readDiskSpace } from './disk-space.ts'
export { makeFolder } from './durable-folders.ts'
export { codeOf } from './error-code.ts'
export { countInvariantFailure, invariant, InvariantError, invariantFailures, onInvariantFailure } from './invariant.ts'
export { replaceFile } from './replace-file.ts'
export type { KeyedLock } from './locks/keyed-lock.ts'
export { processLock, type ProcessLockOptions } from './locks/process-lock.ts'
export { findHeldBlobs, noteReleased, referenceBlobs, releaseBlobs, releaseBlobsAtOnce } from './blobs/blob-references.ts'
export {
  isUniqueViolation,
  openSqlite,
  type Database,
  type OpenSqliteOptions,
  type RelationalStore,
  type ScopedDatabase,
} from './relational/database.ts'
export { type FolderLock, lockFolder } from './folder-lock/folder-lock.ts'
export { needsMigration } from './relational/needs-migration.ts'
export { relationalKind } from './relational/relational-kind.ts'
export type { RelationalKind } from './relational/relational-migration.ts'
export { remedyOfDatabase } from './relational/sqlite/damaged-database.ts'
export { examineSqlite, type ExamineOptions, type SqliteDamage } from './relational/sqlite/examine-sqlite.ts'
export { copySqlite, countSqliteRows, listSqliteContents } from './relational/sqlite-copy.ts'
export type { Tables } from './relational/tables.ts'
export { repeatSweep, type RepeatedSweep, type SweepTimes } from './repeat-sweep.ts'
export { bindStores, type BindStoresOptions } from './store-identity/bind-stores.ts'
export { findMismatch, findRefusal, type FindRefusalOptions } from './store-identity/find-refusal.ts'
export { systemTiming, type Timing } from './timing.ts'
