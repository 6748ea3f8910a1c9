export { createTracingService, type TracingService } from './app.ts'
export type { EventOutbox } from './events/event-outbox.ts'
export { sqlEventOutbox } from './events/event-outbox-store.sql.ts'
export { type EndedTraining, trainingEvent } from './views/webhooks/training-event.ts'
export type { IngestRules, TracingDeps } from './tracing-deps.ts'
export { compareTraces, type TracesComparison } from './records/calls/settle/compare-traces-store.sql.ts'
export { rebuildTraces } from './records/calls/settle/rebuild-traces-store.sql.ts'
export { createTraceSettling } from './records/calls/settle/settle-traces-store.sql.ts'
export type { CostRow } from './records/costs/cost-row.ts'
export { type ShellChange, type ShellChangesStore, sqlShellChangesStore } from './views/audit-log/shell-changes-store.sql.ts'
export type { MadeByKeysStore, StoredKeyMade } from './views/project-keys/made-by-keys-store.ts'
export { sqlMadeByKeysStore } from './views/project-keys/made-by-keys-store.sql.ts'
export { startBlobSweeper } from './records/files/blob-sweeper.ts'
export { sqlFilesStore } from './records/files/files-store.sql.ts'
export { readPriceList } from './records/costs/price-list.ts'
export { otlpGrpcMethods } from './views/otel/grpc-methods.ts'
export type { ServiceInfo } from './views/service/service-handlers.ts'
export type { ServerFacts } from './views/service/service-stats.ts'
export type { SpanPreparerOptions } from './views/otel/span-preparer.ts'
export {
  type CompleteHere,
  createModelProviders,
  type ModelProvider,
  type ModelProviders,
  type ProviderOutcome,
} from './providers/model-providers.ts'
export { withOwnModels } from './providers/own-models.ts'
export { type Catalogue, emptyCatalogue } from './views/inference/catalogue.ts'
export { fileCatalogue, urlCatalogue } from './views/inference/read-catalogue.ts'
