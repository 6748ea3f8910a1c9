import type { OnFeedbackStored } from './records/feedback/write/feedback-writer.ts'
import type { ProjectLimiter } from '@heddle/service-kit'
import type { Platform } from './platform.ts'
import { createAnnotationQueues } from './records/annotation-queues/annotation-queues.ts'
import { createCalls } from './records/calls/calls.ts'
import type { WriteContext } from './records/calls/write/call-input.ts'
import type { EvaluationEnds } from './records/calls/write/ended-evaluations.ts'
import type { CostRow } from './records/costs/cost-row.ts'
import { createCosts } from './records/costs/costs.ts'
import { createFeedback } from './records/feedback/feedback.ts'
import { createFiles } from './records/files/files.ts'
import { createObjects } from './records/objects/objects.ts'
import { createProjects } from './records/projects/projects.ts'
import { createRetention } from './records/calls/retention/retention.ts'
import { sqlRetentionStore } from './records/calls/retention/retention-store.sql.ts'
import { createRefs } from './records/refs/refs.ts'
import { createTables } from './records/tables/tables.ts'

interface RecordsOptions {
  /** Reads the prices of models that projects need not create. */
  readPrices: () => Promise<readonly CostRow[]>
  /** Applied to the payloads of calls before they are stored. */
  mask: WriteContext['mask']
  evaluationEnds: EvaluationEnds
  onFeedbackStored: OnFeedbackStored
  limiter: ProjectLimiter
  /** Records that a large deletion removes at a time; undefined: the number of each kind. */
  removedAtOnce: number | undefined
}

export type Records = ReturnType<typeof createRecords>

/** What a project stores, each after those that it reads. The sweeps of files, objects and calls begin. */
export function createRecords(platform: Platform, options: RecordsOptions) {
  const { removedAtOnce } = options
  const files = createFiles(platform)
  const objects = createObjects(platform, { files: files.files, removedAtOnce })
  const tables = createTables(platform)
  const refs = createRefs(platform, { objects: objects.objects, values: objects.values, tables: tables.tables, rows: tables.rows })
  const costs = createCosts(platform, { readDefaults: options.readPrices })
  const annotationQueues = createAnnotationQueues(platform)
  const feedback = createFeedback(platform, {
    resolveRefs: refs.resolveRefs,
    queues: annotationQueues.queues,
    onFeedbackStored: options.onFeedbackStored,
    removedAtOnce,
  })
  const retention = createRetention({ store: sqlRetentionStore(platform.database), clock: platform.clock })
  const calls = createCalls(platform, {
    mask: options.mask,
    prices: costs.prices,
    feedback: feedback.feedback,
    retention,
    resolveRefs: refs.resolveRefs,
    findTables: refs.findTables,
    deletedVersions: refs.deletedVersions,
    callsOfQueues: annotationQueues.callsOfQueues,
    evaluationEnds: options.evaluationEnds,
    removedAtOnce,
  })
  const projects = createProjects(platform, {
    pricesOfProjects: costs.pricesOfProjects,
    retention,
    limiter: options.limiter,
    calls: calls.store,
    objects: objects.objects,
    files: files.files,
    tables: tables.rows,
  })
  return { files, objects, tables, refs, costs, annotationQueues, feedback, calls, projects }
}
