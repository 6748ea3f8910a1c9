import type { Handlers, tracing } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { TracingContext } from '../../context.ts'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import { feedbackStatsHandlers } from './stats/feedback-stats-handlers.ts'
import type { FeedbackStatsStore } from './stats/feedback-stats-store.ts'
import type { FeedbackStore } from './feedback-store.ts'
import type { PurgeFeedback } from './purge/purge-feedback.ts'
import type { FeedbackWriter } from './write/feedback-writer.ts'
import { feedbackRowsHandlers } from './feedback-rows-handlers.ts'
import type { BeginFeedback } from './write/prepare-feedback.ts'

export interface FeedbackDeps {
  store: FeedbackStore
  statsStore: FeedbackStatsStore
  writer: FeedbackWriter
  purge: PurgeFeedback
  begin: BeginFeedback
  refProjects: RefProjectsFor
  clock: () => Micros
}

/** All operations on feedback. */
export function feedbackHandlers(deps: FeedbackDeps): Handlers<(typeof tracing)['feedback'], TracingContext> {
  return { ...feedbackRowsHandlers(deps), ...feedbackStatsHandlers(deps) }
}
