import { priceCounts, type TokenRates } from '../usage/price-counts.ts'
import type { TokenCounts } from '../usage/token-counts.ts'
import type { CallMark, SettledTrace } from './settle-trace.ts'

/** A call's reported usage of one model. */
interface ReportedUse {
  model: string
  /** Null without a known price. */
  cost: number | null
  /** The prices of one token that make the cost; absent or null where they are not known. */
  rates?: TokenRates | null
}

/** What counts of a use that counts in part. */
export interface RestOfUse {
  counts: TokenCounts
  /**
   * The cost of the rest at the prices of the use; if these are unknown, the cost of the use minus that of the subtracted uses, at least
   * 0. Null without a known price.
   */
  cost: number | null
}

/**
 * The usage of a trace that counts, by call, with its cost. Calls without any are omitted.
 * @param reported uses by call, each model of a call once
 * @param toRest the use as it counts if the calls below it have a part of it
 */
export function countedUses<T extends ReportedUse>(
  settled: SettledTrace | undefined,
  reported: ReadonlyMap<string, readonly T[]>,
  toRest: (own: T, rest: RestOfUse) => T,
): Map<string, readonly T[]> {
  const counted = new Map<string, readonly T[]>()
  for (const [id, mark] of settled?.marks ?? []) {
    if (mark.count !== 'whole' && mark.count !== 'rest') continue
    const own = reported.get(id) ?? []
    const uses = mark.count === 'whole' ? own : own.flatMap((use) => restOf(use, mark))
    if (uses.length > 0) counted.set(id, uses)
  }
  return counted

  function restOf(use: T, { counted: left, less }: CallMark): T[] {
    const rest = left.find(({ model }) => model === use.model)
    if (rest === undefined) return []
    return [toRest(use, { counts: rest.counts, cost: restCost(use, { rest: rest.counts, less }) })]
  }

  function restCost({ model, cost, rates }: T, { rest, less }: { rest: TokenCounts; less: readonly string[] }): number | null {
    if (cost === null) return null
    return rates ? priceCounts(rest, rates) : Math.max(0, cost - costOf(model, less))
  }

  function costOf(model: string, calls: readonly string[]): number {
    const uses = calls.flatMap((call) => reported.get(call) ?? []).filter((use) => use.model === model)
    return uses.reduce((sum, { cost }) => sum + (cost ?? 0), 0)
  }
}
