export {
  ApiError,
  badRequest,
  conflict,
  errorStatus,
  forbidden,
  invalid,
  isApiError,
  notFound,
  tooLarge,
  tooManyRequests,
  unauthenticated,
  unavailable,
  type ApiErrorDetails,
  type ErrorCode,
  type Issue,
} from './errors.ts'
export {
  defineResource,
  JsonText,
  type Answer,
  type BytesAnswer,
  type BytesStream,
  type Effect,
  type FilePart,
  type Handlers,
  type HeldBytes,
  type InputOf,
  type Operation,
  type OutputOf,
  type ReceivedPart,
  type RequestOf,
  type Resource,
} from './operation.ts'
export { CallsFilter } from './shapes/calls-filter.ts'
export { checked, Refused } from './shapes/checked.ts'
export { Digest, VersionName } from './shapes/digest.ts'
export { isJsonNumber, numberText, type JsonNumberLike } from './shapes/json-number.ts'
export { AnyJson, isJsonObject, JsonObjectShape, JsonValueShape, type JsonObject } from './shapes/json.ts'
export { LenientBoolean, LenientCount, LenientFraction, LenientInt, LenientNumber } from './shapes/lenient.ts'
export { Nothing } from './shapes/nothing.ts'
export { orDefault, orNull } from './shapes/optional.ts'
export { formatTimestamp, parseTimestamp, type Micros } from './shapes/parse-timestamp.ts'
export { ProjectId, ProjectPath } from './shapes/project.ts'
export {
  QueryExpression,
  type QueryExpressionInput,
  type QueryOperand,
  type QueryOperation,
  type QueryValue,
} from './shapes/query-expression.ts'
export {
  formatRef,
  internalRefScheme,
  isWrittenRef,
  parseRef,
  privateRefScheme,
  refScheme,
  type CallRef,
  type ObjectRef,
  type Ref,
  type RefEdge,
  type TableRef,
} from './shapes/ref.ts'
export { SortBy } from './shapes/sort.ts'
export { Timestamp, TimestampText } from './shapes/timestamp.ts'
export { CallBatch, CallBatchAnswer, CallIds, CompletedCallBatch } from './tracing/calls/call-batch.ts'
export { Call, CompletedCall, EndedCall, StartedCall } from './tracing/calls/call-records.ts'
export { CallRead, CallsCount, CallsQuery } from './tracing/calls/calls-query.ts'
export { displayNameOf, type NamedCall } from './tracing/calls/display-name.ts'
export { CallsStats, CallsStatsAnswer } from './tracing/calls/calls-stats.ts'
export { CallsUsage, TraceUsage, Usage, UsageAnswer } from './tracing/calls/calls-usage.ts'
export { Summary } from './tracing/calls/summary.ts'
export { Cost, CostInput } from './tracing/costs.ts'
export { FeedbackAggregate, FeedbackAggregateAnswer } from './tracing/feedback/feedback-aggregate.ts'
export { FeedbackQuery } from './tracing/feedback/feedback-query.ts'
export { CreatedFeedback, Feedback, FeedbackInput } from './tracing/feedback/feedback-records.ts'
export {
  FeedbackPayloadSchema,
  FeedbackPayloadSchemaAnswer,
  FeedbackStats,
  FeedbackStatsAnswer,
} from './tracing/feedback/feedback-stats.ts'
export { HardwareOption, InferenceModel } from './tracing/inference.ts'
export { tracing } from './tracing/index.ts'
export { ObjectInput, ObjectVersion } from './tracing/objects/object-records.ts'
export { ObjectsQuery, ObjectVersionFilter } from './tracing/objects/objects-query.ts'
export { RegistryLink } from './tracing/registry-link.ts'
export { TableInput, TableQuery, TableRow, TableStats, TableUpdate } from './tracing/tables.ts'
export { Thread, ThreadsQuery } from './tracing/threads.ts'
