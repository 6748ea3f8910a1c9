import type { Condition } from '../filter/call-condition.ts'
import type { CallsSearch } from './calls-search.ts'

/** The conditions that an address sets, those of its buttons included. */
export function chosenConditions({ where = [], status, review }: Pick<CallsSearch, 'where' | 'status' | 'review'>): Condition[] {
  // Failed calls, and successful ones above a failed call.
  const failed: Condition[] = status === 'error' ? [{ path: 'summary.weave.status', operator: 'contains', value: 'error' }] : []
  const unreviewed: Condition[] = review === 'none' ? [{ path: 'feedback.[*].payload', operator: '=', value: '' }] : []
  return [...where, ...failed, ...unreviewed]
}
