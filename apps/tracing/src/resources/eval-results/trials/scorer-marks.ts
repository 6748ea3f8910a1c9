import { isJsonNumber } from '@heddle/core-api/internal'
import type { ChildCall } from './child-call.ts'

/** True for a call that its attributes name a scorer. */
export function isMarkedScorer({ weave, scoreMark }: Pick<ChildCall, 'weave' | 'scoreMark'>): boolean {
  return weave.score === 'true' || isTruthy(scoreMark)
}

/** True for a call that its attributes or its op name a scorer. */
export function isScorer(child: Pick<ChildCall, 'weave' | 'scoreMark' | 'op_short_name'>): boolean {
  return isMarkedScorer(child) || /\.score|scorer/i.test(child.op_short_name)
}

/** True as in Python: empty texts, lists and objects are not. */
function isTruthy(value: unknown): boolean {
  if (isJsonNumber(value)) return Number(value.text) !== 0
  if (typeof value !== 'object' || value === null) return Boolean(value)
  return Object.keys(value).length > 0
}
