import type { EvaluationCalls } from '../../domain/evaluation-calls/evaluation-calls.ts'
import type { Platform } from '../../platform.ts'
import { predictionsHandlers } from './predictions-handlers.ts'

/** What models made of rows, as a view over calls. */
export const createPredictions = ({ clock, newId }: Platform, calls: EvaluationCalls) => ({
  handlers: predictionsHandlers({ calls, clock, newId }),
})
