import type { EvalResultsQuery } from '@heddle/core-api'
import { invalid } from '@heddle/core-api/internal'

/**
 * The evaluations that a query asks for, each once: run ids after call ids.
 * @throws 422 where it names none.
 */
export function requestedEvaluations({
  evaluation_call_ids,
  evaluation_run_ids,
}: Pick<EvalResultsQuery, 'evaluation_call_ids' | 'evaluation_run_ids'>): string[] {
  const ids = [...new Set([...(evaluation_call_ids ?? []), ...(evaluation_run_ids ?? [])])]
  if (ids.length > 0) return ids
  const msg = 'At least one of evaluation_call_ids or evaluation_run_ids must be provided'
  throw invalid([{ loc: ['body'], msg, type: 'value_error' }])
}
