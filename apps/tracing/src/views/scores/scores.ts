import type { EvaluationCalls } from '../../domain/evaluation-calls/evaluation-calls.ts'
import type { Platform } from '../../platform.ts'
import type { ModelProviders } from '../../providers/model-providers.ts'
import type { Scoring } from '../../domain/scoring/scoring.ts'
import type { FeedbackWriter } from '../../records/feedback/write/feedback-writer.ts'
import type { BeginFeedback } from '../../records/feedback/write/prepare-feedback.ts'
import type { EnsureOps } from '../../records/objects/publish/ensure-ops.ts'
import { createScoreCall, scoreCallKind } from './score-call.ts'
import { scoresHandlers } from './scores-handlers.ts'

interface ScoresOptions {
  evaluationCalls: EvaluationCalls
  feedbackWriter: FeedbackWriter
  beginFeedback: BeginFeedback
  ensureOps: EnsureOps
  scoring: Scoring
  providers: ModelProviders
}

/** What scorers found of predictions, as a view over calls; each is feedback too. And the jobs in which scorers run on the server. */
export function createScores({ clock, newId, jobs }: Platform, options: ScoresOptions) {
  const { evaluationCalls: calls, feedbackWriter, beginFeedback, ensureOps, scoring, providers } = options
  return {
    handlers: scoresHandlers({ calls, feedbackWriter, beginFeedback, clock, newId, jobs, providers }),
    jobKinds: { [scoreCallKind]: createScoreCall({ calls, scoring, ensureOps, clock }) },
  }
}
