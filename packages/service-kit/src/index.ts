export {
  type Admission,
  type AdmissionLimits,
  clusterStatementLimits,
  createAdmission,
  defaultAdmissionLimits,
} from './admission/admission.ts'
export type { AccessEntry } from './access-log.ts'
export { type BodyBudget, createBodyBudget, defaultBodyBudgetBytes } from './body-budget.ts'
export { createFairQueue, type FairQueue, type Flow } from './admission/fair-queue.ts'
export { readCredential } from './credentials.ts'
export type { MountedService } from './endpoint.ts'
export { errorBody, errorResponse, noSuchMethod, noSuchPath, rangeNotSatisfiable, type ErrorPlace, type ServiceLog } from './error-body.ts'
export { createFailedLogins, type FailedLoginOptions, type FailedLogins } from './failed-logins.ts'
export { eventStreamResponse, type EventStreamOptions } from './event-stream-response.ts'
export { jsonlResponse } from './jsonl-response.ts'
export { StalledReader, type StreamEnd, type StreamOptions } from './streamed-response.ts'
export type { HoldPart, MountOptions, NodeBindings, OpenRawRoute, PartHold, RawRoute, RequestPlace, Service } from './mount-options.ts'
export { loggedError, type LoggedError } from './logged-error.ts'
export { mount } from './mount.ts'
export { defaultRequestLimits, type RequestLimits } from './request-limits.ts'
export { listOperations, type Contract, type NamedOperation } from './routes.ts'
export { staticFiles, type StaticFilesOptions } from './static-files.ts'
export { serviceOf, type ServiceOptions } from './service-of.ts'
export { serve, type RunningServer, type ServeOptions } from './serve.ts'
export { defaultConnectionLimits, type ConnectionLimits } from './connection-limits.ts'
