// The shapes of requests and responses: each a type, and the zod schema of the same name.
export {
  AnnotationItemOrder,
  AnnotationQueue,
  AnnotationQueueItem,
  AnnotationQueueStats,
  AnnotationState,
} from './tracing/annotation-queues/annotation-queue-records.ts'
export { AuditEntry } from './tracing/audit-log.ts'
export { Call, CompletedCall, EndedCall, StartedCall } from './tracing/calls/call-records.ts'
export { CallsTraceTotals, TraceTotal, TraceTotals } from './tracing/calls/calls-trace-totals.ts'
export { CallsTrace, TraceCall } from './tracing/calls/calls-trace.ts'
export { UsageTotal, UsageTotals } from './tracing/calls/calls-usage-totals.ts'
export { Usage } from './tracing/calls/calls-usage.ts'
export { Summary } from './tracing/calls/summary.ts'
export { CollectionVersion, CreatedVersion } from './tracing/collections/collection.ts'
export { Dataset } from './tracing/collections/datasets.ts'
export { Evaluation } from './tracing/collections/evaluations.ts'
export { Model } from './tracing/collections/models.ts'
export { Op } from './tracing/collections/ops.ts'
export { Scorer } from './tracing/collections/scorers.ts'
export { Cost, CostInput, PriceTier } from './tracing/costs.ts'
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
export { DataCounts, DataDeletion, DataSelection, DeletionReceipt } from './tracing/data-deletions.ts'
export { EvaluationStatus } from './tracing/evaluation-jobs.ts'
export { EvaluationRun } from './tracing/evaluation-runs.ts'
export { CreatedFeedback, Feedback, FeedbackInput } from './tracing/feedback/feedback-records.ts'
export { HardwareOption, InferenceModel } from './tracing/inference.ts'
export { Monitor } from './tracing/monitors.ts'
export { ObjectInput, ObjectVersion } from './tracing/objects/object-records.ts'
export { ObjectVersionFilter } from './tracing/objects/objects-query.ts'
export { Prediction } from './tracing/predictions.ts'
export { ProjectDeletion } from './tracing/project-deletions.ts'
export { KeyMade, KeyRecording, ProjectKey, RevokedKey } from './tracing/project-keys.ts'
export { ProjectLimits, type ProjectLimit } from './tracing/project-limits.ts'
export { ListedProject } from './tracing/projects.ts'
export { RegistryLink } from './tracing/registry-link.ts'
export { Score } from './tracing/scores.ts'
export { SharedTrace } from './tracing/shared-traces.ts'
export { TableInput, TableRow, TableUpdate } from './tracing/tables.ts'
export { Thread, ThreadTurn } from './tracing/threads.ts'
export { Webhook, WebhookAttempt, WebhookEvent } from './tracing/webhooks.ts'
export { ChatCompletion, ChatCompletionChunk } from './training/chat-completions.ts'
export { ChatCompletionRequest } from './training/chat-request.ts'
export { Checkpoint } from './training/checkpoints.ts'
export { CompletionRequest, TextCompletion } from './training/completions.ts'
export { FineTuningCheckpoint, FineTuningEvent, FineTuningJob, FineTuningRequest } from './training/fine-tuning-jobs.ts'
export { SystemCheck } from './training/health.ts'
export { JobTrajectory, JobTrajectoryGroup } from './training/job-trajectories.ts'
export { CountTokensRequest, MessageRequest } from './training/message-request.ts'
export { BlockDelta, MessageBlock, MessageEvent, ModelMessage } from './training/messages.ts'
export { TrainedModel } from './training/models.ts'
export { RecordedTrajectory, RecordedTrajectoryGroup } from './training/recorded-trajectories.ts'
export { ResponseRequest } from './training/response-request.ts'
export { ModelResponse, ResponseEvent, ResponseItem } from './training/responses.ts'
export { ServedModel } from './training/served-models.ts'
export type { TinkerRun, TinkerSamplingParams, TinkerWeights } from './training/tinker/index.ts'
export { TrainingConfig } from './training/training-config.ts'
export { TrainingEvent } from './training/training-events.ts'
export { TrainingFile } from './training/training-files.ts'
export { SftEstimate, TrainingJob } from './training/training-jobs.ts'
export { LoggedTrajectoryGroup } from './training/trajectories.ts'
export { Trajectory, TrajectoryGroup } from './training/trajectory.ts'
