export { createTracingService, type IngestRules, type TracingDeps, type TracingService } from './app.ts'
export type { ServiceInfo } from './resources/service/service-handlers.ts'
export type { SpanPreparerOptions } from './resources/otel/span-preparer.ts'
