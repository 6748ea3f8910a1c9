import { type CallStatus, noTotal, settleCalls } from '@heddle/trace-model'
import type { TracedCall } from './traced-call.ts'

/** A recorded call with what its trace says of it. */
export interface DescribedCall extends TracedCall {
  /** Knows failures below it. */
  status: CallStatus
  /** The root of the trace: others may have no parent in it, too. */
  is_root: boolean
  /** It names a parent that is not in the trace. */
  is_parent_missing: boolean
  /** Tokens that count of the call and those below it; null for none. */
  tokens: number | null
  /** Their cost; null without any known price. */
  cost: number | null
  /** Names of the prices of models that have none under their own name. */
  priced_as: readonly string[]
  /** Uses of models without a price whose cost is the one that their calls carry. */
  reported_uses: number
}

/** The calls of one trace as programs read them. */
export function describeCalls(calls: readonly TracedCall[]): DescribedCall[] {
  const { trace, totals } = settleCalls(calls)
  return calls.map((call) => {
    const mark = trace?.marks.get(call.id)
    const { tokens, cost, pricedAs, reportedUses } = totals.get(call.id) ?? noTotal
    return {
      ...call,
      status: mark?.status ?? 'running',
      is_root: trace?.rootId === call.id,
      is_parent_missing: mark?.isParentMissing ?? false,
      tokens,
      cost,
      priced_as: pricedAs,
      reported_uses: reportedUses,
    }
  })
}
