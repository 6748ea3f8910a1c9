export { createTracingService, type TracingService } from './app.ts'
export type { EventOutbox } from './events/event-outbox.ts'
export { sqlEventOutbox } from './events/event-outbox-store.sql.ts'
export { type EndedTraining, trainingEvent } from './resources/webhooks/training-event.ts'
export type { IngestRules, TracingDeps } from './tracing-deps.ts'
export { rebuildTraces } from './resources/calls/settle/rebuild-traces-store.sql.ts'
export { createTraceSettling } from './resources/calls/settle/settle-traces-store.sql.ts'
export type { CostRow } from './resources/costs/cost-row.ts'
export { type ShellChange, type ShellChangesStore, sqlShellChangesStore } from './resources/audit-log/shell-changes-store.sql.ts'
export type { MadeByKeysStore, StoredKeyMade } from './resources/project-keys/made-by-keys-store.ts'
export { sqlMadeByKeysStore } from './resources/project-keys/made-by-keys-store.sql.ts'
export { startBlobSweeper } from './resources/files/blob-sweeper.ts'
export { sqlFilesStore } from './resources/files/files-store.sql.ts'
export { readPriceList } from './resources/costs/price-list.ts'
export type { ServiceInfo } from './resources/service/service-handlers.ts'
export type { ServerFacts } from './resources/service/service-stats.ts'
export type { SpanPreparerOptions } from './resources/otel/span-preparer.ts'
export {
  type CompleteHere,
  createModelProviders,
  type ModelProvider,
  type ModelProviders,
  type ProviderOutcome,
} from './providers/model-providers.ts'
export { withOwnModels } from './providers/own-models.ts'
export { type Catalogue, emptyCatalogue } from './resources/inference/catalogue.ts'
export { fileCatalogue, urlCatalogue } from './resources/inference/read-catalogue.ts'
