import { annotationQueueAdd } from './annotate/annotation-queue-add.ts'
import { feedbackCreate } from './annotate/feedback-create.ts'
import { evalColumnsDescribe } from './evals/eval-columns-describe.ts'
import { evalCompare } from './evals/eval-compare.ts'
import { evalFailuresGroup } from './evals/eval-failures-group.ts'
import { evalResultsQuery } from './evals/eval-results-query.ts'
import { evalRowGet } from './evals/eval-row-get.ts'
import { evalSummaryGet } from './evals/eval-summary-get.ts'
import { evalsList } from './evals/evals-list.ts'
import type { Tool } from './tool.ts'
import { traceGet } from './traces/trace-get.ts'
import { traceStats } from './traces/trace-stats.ts'
import { tracesSearch } from './traces/traces-search.ts'
import { modelCheckpointsDelete } from './training/model-checkpoints-delete.ts'
import { modelCheckpointsList } from './training/model-checkpoints-list.ts'
import { modelDelete } from './training/model-delete.ts'
import { modelsList } from './training/models-list.ts'
import { trainingJobCancel } from './training/training-job-cancel.ts'
import { trainingJobCreate } from './training/training-job-create.ts'
import { trainingJobEvents } from './training/training-job-events.ts'
import { trainingJobGet } from './training/training-job-get.ts'
import { trainingJobWait } from './training/training-job-wait.ts'
import { trainingJobsList } from './training/training-jobs-list.ts'
import { trainingMetricsGet } from './training/training-metrics-get.ts'
import { trajectoriesPreview } from './training/trajectories-preview.ts'

/** All tools, by name. */
export const tools: readonly Tool[] = [
  annotationQueueAdd,
  feedbackCreate,
  evalColumnsDescribe,
  evalCompare,
  evalFailuresGroup,
  evalResultsQuery,
  evalRowGet,
  evalSummaryGet,
  evalsList,
  modelCheckpointsDelete,
  modelCheckpointsList,
  modelDelete,
  modelsList,
  trainingJobCancel,
  trainingJobCreate,
  trainingJobEvents,
  trainingJobGet,
  trainingJobWait,
  trainingJobsList,
  trainingMetricsGet,
  trajectoriesPreview,
  traceGet,
  traceStats,
  tracesSearch,
].toSorted((one, other) => (one.name < other.name ? -1 : 1))

/** For text that must not name one. */
export const toolNames: ReadonlySet<string> = new Set([...tools.map(({ name }) => name), 'tool_call', 'tools_search'])
