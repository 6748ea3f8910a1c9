import type { ChildCall } from './child-call.ts'

/** Whether a call is that of a scorer: its attributes mark it, or the name of its op contains `.score` or `scorer`. */
export function isScorer({ isMarked, op_short_name }: Pick<ChildCall, 'isMarked' | 'op_short_name'>): boolean {
  return isMarked || /\.score|scorer/i.test(op_short_name)
}
