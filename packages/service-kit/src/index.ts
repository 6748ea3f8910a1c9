export {
  type Admission,
  type AdmissionLimits,
  clusterStatementLimits,
  createAdmission,
  defaultAdmissionLimits,
} from './admission/admission.ts'
export type { AccessEntry } from './http/access-log.ts'
export { type BodyBudget, createBodyBudget, defaultBodyBudgetBytes } from './request/body-budget.ts'
export { createPermitQueue, type PermitLimits } from './admission/permit-queue.ts'
export { atOnce, runInSlices, type Steps } from './admission/steps.ts'
export { timeSlices } from './admission/time-slices.ts'
export { createFairQueue, type FairQueue, type Flow } from './admission/fair-queue.ts'
export { readCredential } from './auth/credentials.ts'
export { writeSessionCookie } from './auth/session-cookie.ts'
export type { MountedService, UnservedBodies, UnservedRequest } from './routing/endpoint.ts'
export {
  errorBody,
  errorResponse,
  noSuchMethod,
  noSuchPath,
  rangeNotSatisfiable,
  type ErrorContext,
  type ServiceLog,
} from './response/error-body.ts'
export { createFailedLogins, type FailedLoginOptions, type FailedLogins } from './auth/failed-logins.ts'
export { eventStreamResponse, type EventStreamOptions } from './response/event-stream-response.ts'
export { jsonlResponse } from './response/jsonl-response.ts'
export { StalledReader, type StreamEnd } from './response/paced-source.ts'
export type { StreamOptions } from './response/streamed-response.ts'
export type { MountOptions, OpenRawRoute, RawRoute, RequestOrigin, UploadRoute } from './routing/mount-options.ts'
export type { NodeBindings, Service } from './http/service.ts'
export type { StagedUpload, StageUpload } from './request/staged-uploads.ts'
export { percentileOf } from './http/duration-slots.ts'
export {
  type BegunRequest,
  type CountedRequest,
  createRequestStats,
  type RequestSpan,
  type RequestStats,
  type SlowRequest,
} from './http/request-stats.ts'
export { loggedError, type LoggedError } from './http/logged-error.ts'
export { atMost } from './at-most.ts'
export { asyncOnce } from './async-once.ts'
export { createKeyedRate, type KeyedRate } from './limits/keyed-rate.ts'
export { createProjectLimiter, noLimits, type ProjectLimiter, type ProjectLimiterOptions } from './limits/project-limiter.ts'
export { createProjectCache, type ProjectCache } from './limits/project-cache.ts'
export type { RequestCharges } from './limits/request-charges.ts'
export type { LimitedProject, ProjectLimitsStore } from './limits/project-limits-store.ts'
export { mount } from './routing/mount.ts'
export { defaultRequestLimits, type RequestLimits } from './request/request-limits.ts'
export { handlersOf } from './routing/handlers-of.ts'
export { listOperations, type Contract, type NamedOperation } from './routing/routes.ts'
export { type GraphqlAnswer, type GraphqlRequest, readGraphqlRequest } from './request/graphql-request.ts'
export { toIssues } from './request/zod-issues.ts'
export { staticFiles, type StaticFilesOptions, staticSite } from './routing/static-files.ts'
export { type LaterServices, serviceOf, type ServiceOptions } from './routing/service-of.ts'
export { type GrpcServer, type GrpcServerOptions, serveGrpc } from './grpc/serve-grpc.ts'
export { type EarlyRefusal, serve, type RunningServer, type ServeOptions } from './http/serve.ts'
export { defaultConnectionLimits, type ConnectionLimits } from './http/connection-limits.ts'
