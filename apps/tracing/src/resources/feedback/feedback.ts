import type { Platform } from '../../platform.ts'
import type { AnnotationQueuesStore } from '../annotation-queues/queues/annotation-queues-store.ts'
import type { ResolveRefs } from '../refs/resolve-refs.ts'
import { feedbackHandlers } from './feedback-handlers.ts'
import { sqlFeedbackStatsStore } from './stats/feedback-stats-store.sql.ts'
import { sqlFeedbackStore } from './feedback-store.sql.ts'
import { createFeedbackWriter, type FeedbackStored } from './write/feedback-writer.ts'
import { createBeginFeedback } from './write/prepare-feedback.ts'
import { createSchemaChecks } from './write/schema-mismatch.ts'

interface FeedbackOptions {
  resolveRefs: ResolveRefs
  queues: Pick<AnnotationQueuesStore, 'find'>
  onFeedbackStored: FeedbackStored
}

/** Feedback on calls and objects. */
export function createFeedback(platform: Platform, { resolveRefs, queues, onFeedbackStored }: FeedbackOptions) {
  const { analytical, locks, clock, newId, refProjects } = platform
  const store = sqlFeedbackStore(analytical)
  const writer = createFeedbackWriter({ store, locks, clock, newId, onStored: onFeedbackStored })
  const begin = createBeginFeedback({
    resolveRefs,
    beginSchemaChecks: createSchemaChecks(),
    hasQueue: async (project, queueId) => (await queues.find(project, queueId)) !== undefined,
  })
  const handlers = feedbackHandlers({ store, statsStore: sqlFeedbackStatsStore(analytical), writer, begin, refProjects, clock })
  return { handlers, feedback: store, feedbackWriter: writer, beginFeedback: begin }
}
