export { ApiError, isApiError, type ApiErrorDetails, type ErrorCode, type Issue } from './errors.ts'
export {
  defineResource,
  type BytesAnswer,
  type Effect,
  type FilePart,
  type Handlers,
  type InputOf,
  type Operation,
  type OutputOf,
  type RequestOf,
  type Resource,
} from './operation.ts'
export { CallsFilter } from './shapes/calls-filter.ts'
export type { JsonObject } from './shapes/json-object.ts'
export { formatTimestamp, parseTimestamp, type Micros } from './shapes/parse-timestamp.ts'
export {
  QueryExpression,
  type QueryExpressionInput,
  type QueryOperand,
  type QueryOperation,
  type QueryValue,
} from './shapes/query-expression.ts'
export {
  formatConversationRef,
  formatRef,
  parseConversationRef,
  parseRef,
  type CallRef,
  type ConversationRef,
  type ObjectRef,
  type Ref,
  type RefEdge,
  type TableRef,
} from './shapes/ref.ts'
export { SortBy } from './shapes/sort.ts'
export { toInputSchema, type InputSchema } from './to-input-schema.ts'
export {
  AnnotationItemOrder,
  AnnotationQueue,
  AnnotationQueueItem,
  AnnotationQueueStats,
  AnnotationState,
} from './tracing/annotation-queues/annotation-queue-records.ts'
export { AuditEntry } from './tracing/audit-log.ts'
export { callKindOf, callKinds, type CallKind } from './tracing/calls/call-kind.ts'
export { Call, CompletedCall, EndedCall, StartedCall } from './tracing/calls/call-records.ts'
export { Usage } from './tracing/calls/calls-usage.ts'
export { CallsTrace, TraceCall } from './tracing/calls/calls-trace.ts'
export { CallsTraceTotals, TraceTotal, TraceTotals } from './tracing/calls/calls-trace-totals.ts'
export { UsageTotal, UsageTotals } from './tracing/calls/calls-usage-totals.ts'
export { displayNameOf, type NamedCall } from './tracing/calls/display-name.ts'
export { Summary } from './tracing/calls/summary.ts'
export { CollectionVersion, CreatedVersion } from './tracing/collections/collection.ts'
export { Dataset } from './tracing/collections/datasets.ts'
export { EvaluationStatus } from './tracing/evaluation-jobs.ts'
export { Evaluation } from './tracing/collections/evaluations.ts'
export { Model } from './tracing/collections/models.ts'
export { Op } from './tracing/collections/ops.ts'
export { Scorer } from './tracing/collections/scorers.ts'
export { Cost, CostInput } from './tracing/costs.ts'
export { EvaluationRun } from './tracing/evaluation-runs.ts'
export {
  EvalResults,
  EvalResultsFilter,
  EvalResultsQuery,
  EvalResultsRow,
  EvalResultsSort,
  EvalScorerStats,
  EvalSummary,
  EvalTrial,
} from './tracing/eval-results.ts'
export { CreatedFeedback, Feedback, FeedbackInput } from './tracing/feedback/feedback-records.ts'
export { formatMention, mentionedIn, readNote, type NotePart } from './tracing/feedback/mentions.ts'
export { tracing } from './tracing/index.ts'
export { HardwareOption, InferenceModel } from './tracing/inference.ts'
export { Monitor } from './tracing/monitors.ts'
export { ObjectInput, ObjectVersion } from './tracing/objects/object-records.ts'
export { ObjectVersionFilter } from './tracing/objects/objects-query.ts'
export { Prediction } from './tracing/predictions.ts'
export { KeyMade, ProjectKey, RevokedKey } from './tracing/project-keys.ts'
export type { ProjectLimit } from './tracing/project-limits.ts'
export { ProjectLimits } from './tracing/project-limits.ts'
export { ListedProject } from './tracing/projects.ts'
export { RegistryLink } from './tracing/registry-link.ts'
export { Score } from './tracing/scores.ts'
export { SharedTrace } from './tracing/shared-traces.ts'
export { TableInput, TableRow, TableUpdate } from './tracing/tables.ts'
export { Thread } from './tracing/threads.ts'
export { Webhook, WebhookAttempt, WebhookEvent } from './tracing/webhooks.ts'
export { ChatCompletion, ChatCompletionChunk } from './training/chat-completions.ts'
export { ChatCompletionRequest } from './training/chat-request.ts'
export { Checkpoint } from './training/checkpoints.ts'
export { SystemCheck } from './training/health.ts'
export { training } from './training/index.ts'
export { JobTrajectory, JobTrajectoryGroup } from './training/job-trajectories.ts'
export { TrainedModel } from './training/models.ts'
export { RecordedTrajectory, RecordedTrajectoryGroup } from './training/recorded-trajectories.ts'
export { TrainingConfig } from './training/training-config.ts'
export { TrainingEvent } from './training/training-events.ts'
export { TrainingJob } from './training/training-jobs.ts'
export { LoggedTrajectoryGroup } from './training/trajectories.ts'
export { Trajectory, TrajectoryGroup } from './training/trajectory.ts'
