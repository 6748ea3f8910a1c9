import { annotationQueues } from './annotation-queues/index.ts'
import { auditLog } from './audit-log.ts'
import { calls } from './calls/index.ts'
import { datasets } from './collections/datasets.ts'
import { evaluationCollection } from './collections/evaluations.ts'
import { evaluationJobs } from './evaluation-jobs.ts'
import { models } from './collections/models.ts'
import { monitors } from './monitors.ts'
import { ops } from './collections/ops.ts'
import { scorers } from './collections/scorers.ts'
import { completions } from './completions.ts'
import { costs } from './costs.ts'
import { dataDeletions } from './data-deletions.ts'
import { evalResults } from './eval-results.ts'
import { evaluationRuns } from './evaluation-runs.ts'
import { feedback } from './feedback/index.ts'
import { files } from './files.ts'
import { images } from './images.ts'
import { inference } from './inference.ts'
import { objects } from './objects/index.ts'
import { otel } from './otel.ts'
import { predictions } from './predictions.ts'
import { projectKeys } from './project-keys.ts'
import { projects } from './projects.ts'
import { refs } from './refs.ts'
import { registry } from './registry.ts'
import { scores } from './scores.ts'
import { service } from './service.ts'
import { sharedTraces } from './shared-traces.ts'
import { tables } from './tables.ts'
import { threads } from './threads.ts'
import { webhooks } from './webhooks.ts'

/** The contract of the tracing and evaluation service, by resource. */
export const tracing = {
  annotationQueues,
  auditLog,
  calls,
  completions,
  costs,
  dataDeletions,
  datasets,
  evalResults,
  evaluationRuns,
  evaluations: { ...evaluationCollection, ...evaluationJobs },
  feedback,
  files,
  images,
  inference,
  models,
  monitors,
  objects,
  ops,
  otel,
  predictions,
  projectKeys,
  projects,
  refs,
  registry,
  scorers,
  scores,
  service,
  sharedTraces,
  tables,
  threads,
  webhooks,
}
