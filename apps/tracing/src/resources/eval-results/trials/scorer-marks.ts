import { isMarkedScorer } from '../../calls/results/eval-marks.ts'
import type { ChildCall } from './child-call.ts'

/** True for a call that its attributes or its op name a scorer. */
export function isScorer(child: Pick<ChildCall, 'weave' | 'scoreMark' | 'op_short_name'>): boolean {
  return isMarkedScorer(child) || /\.score|scorer/i.test(child.op_short_name)
}
