import type { EvaluationCalls } from '../../domain/evaluation-calls/evaluation-calls.ts'
import type { Platform } from '../../platform.ts'
import { evaluationRunsHandlers } from './evaluation-runs-handlers.ts'

/** Runs of evaluations, as a view over calls. */
export const createEvaluationRuns = ({ clock, newId }: Platform, calls: EvaluationCalls) => ({
  handlers: evaluationRunsHandlers({ calls, clock, newId }),
})
