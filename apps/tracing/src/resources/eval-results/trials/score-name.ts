import type { ChildCall } from './child-call.ts'
import { objectNameOf } from '../../calls/results/object-name.ts'

/** The name under which a score call's output stands among the scores: that of its scorer, or of its op without a trailing `.score`. */
export function scoreName({ self, weave, op_short_name }: Pick<ChildCall, 'self' | 'weave' | 'op_short_name'>): string {
  return objectNameOf(self) ?? objectNameOf(weave.scorer) ?? op_short_name.replace(/\.score$/, '')
}
