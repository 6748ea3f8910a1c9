import { objectNameOf } from '../../../records/calls/results/object-name.ts'
import type { ChildCall } from './child-call.ts'

/** The name under which a score call's output is listed among the scores: that of its scorer, or of its op without a trailing `.score`. */
export function scoreName({ self, scorer, op_short_name }: Pick<ChildCall, 'self' | 'scorer' | 'op_short_name'>): string {
  return objectNameOf(self) ?? scorer ?? op_short_name.replace(/\.score$/, '')
}
