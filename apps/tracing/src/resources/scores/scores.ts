import type { EvaluationCalls } from '../../evaluation-calls/evaluation-calls.ts'
import type { Platform } from '../../platform.ts'
import type { FeedbackWriter } from '../feedback/write/feedback-writer.ts'
import type { BeginFeedback } from '../feedback/write/prepare-feedback.ts'
import { scoresHandlers } from './scores-handlers.ts'

interface ScoresOn {
  evaluationCalls: EvaluationCalls
  feedbackWriter: FeedbackWriter
  beginFeedback: BeginFeedback
}

/** What scorers found of predictions, as a view over calls; each is feedback too. */
export const createScores = ({ clock, newId }: Platform, { evaluationCalls, feedbackWriter, beginFeedback }: ScoresOn) => ({
  handlers: scoresHandlers({ calls: evaluationCalls, feedbackWriter, beginFeedback, clock, newId }),
})
