import { deletionJobKinds } from '../../deletions/deletion-job-kinds.ts'
import type { Platform } from '../../platform.ts'
import type { AnnotationQueuesStore } from '../annotation-queues/queues/annotation-queues-store.ts'
import type { ResolveRefs } from '../refs/resolve-refs.ts'
import { feedbackHandlers } from './feedback-handlers.ts'
import { sqlFeedbackStatsStore } from './stats/feedback-stats-store.sql.ts'
import { sqlFeedbackStore } from './feedback-store.sql.ts'
import { sqlFeedbackRemovalStore } from './purge/feedback-removal-store.sql.ts'
import { createPurgeFeedback } from './purge/purge-feedback.ts'
import { createRemoveFeedback } from './purge/remove-feedback.ts'
import { createFeedbackWriter, type OnFeedbackStored } from './write/feedback-writer.ts'
import { createBeginFeedback } from './write/prepare-feedback.ts'
import { createSchemaChecks } from './write/schema-mismatch.ts'

const feedbackRemovedAtOnce = 10_000

interface FeedbackOptions {
  resolveRefs: ResolveRefs
  queues: Pick<AnnotationQueuesStore, 'find'>
  onFeedbackStored: OnFeedbackStored
  /** Feedback that a purge removes at a time. Default 10,000. */
  removedAtOnce: number | undefined
}

/** Feedback on calls and objects. */
export function createFeedback(
  platform: Platform,
  { resolveRefs, queues, onFeedbackStored, removedAtOnce = feedbackRemovedAtOnce }: FeedbackOptions,
) {
  const { analytical, locks, clock, newId, refProjects, deletions, visibility } = platform
  const store = sqlFeedbackStore(analytical, visibility)
  const writer = createFeedbackWriter({ store, locks, clock, newId, onStored: onFeedbackStored })
  const begin = createBeginFeedback({
    resolveRefs,
    beginSchemaChecks: createSchemaChecks(),
    hasQueue: async (project, queueId) => (await queues.find(project, queueId)) !== undefined,
  })
  const removal = sqlFeedbackRemovalStore(analytical)
  const purge = createPurgeFeedback({ writer, removal, deletions, clock, newId })
  const statsStore = sqlFeedbackStatsStore(analytical, visibility)
  const handlers = feedbackHandlers({ store, statsStore, writer, purge, begin, refProjects, clock })
  const jobKinds = { [deletionJobKinds.feedback]: createRemoveFeedback({ deletions, removal, writer, clock, removedAtOnce }) }
  return { handlers, jobKinds, feedback: store, feedbackWriter: writer, beginFeedback: begin }
}
