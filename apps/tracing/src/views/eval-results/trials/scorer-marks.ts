import type { ChildCall } from './child-call.ts'

/** True for a call that its attributes or its op name a scorer. */
export function isScorer({ isMarked, op_short_name }: Pick<ChildCall, 'isMarked' | 'op_short_name'>): boolean {
  return isMarked || /\.score|scorer/i.test(op_short_name)
}
