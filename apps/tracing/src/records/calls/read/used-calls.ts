import type { ProjectScope } from '@heddle/identity'
import { parseJson } from '@heddle/json'
import { readUsage } from '@heddle/trace-model'
import type { PricesByModel, UsedCall } from '../../costs/price-usage.ts'
import type { CallColumns, CallsStore } from '../calls-store.ts'
import { usageOf } from '../../../payload/usage-counts.ts'

interface UsedCallsDeps {
  store: Pick<CallsStore, 'readUsedIn'>
  /** Undefined where nothing is priced. */
  pricesOf: ((models: Iterable<string>) => Promise<PricesByModel>) | undefined
}

/** What some calls used, in their order, with the prices of their models. What else decides prices is read where one of these depends on it. */
export async function readUsedCalls(
  { store, pricesOf }: UsedCallsDeps,
  project: ProjectScope,
  page: readonly CallColumns[],
): Promise<{ calls: UsedCall[]; prices: PricesByModel }> {
  const usages = page.map(({ summary }) => usageOf(summary ?? '{}'))
  const prices = (await pricesOf?.(new Set(usages.flatMap((usage) => [...usage.keys()])))) ?? new Map()
  const isTiered = (_: CallColumns, at: number) => [...usages[at]!.keys()].some((model) => hasTiers(prices, model))
  const usedIn = await store.readUsedIn(project, page.filter(isTiered))
  const calls = page.map(({ id, started_at, summary }, at) => {
    const usage = usages[at]!
    // The summary is parsed again only where there is a price, or may be a cost.
    const isRead = [...usage.keys()].some((model) => prices.has(model)) || (pricesOf !== undefined && summary?.includes('"cost"') === true)
    return { started_at, usage, uses: isRead ? readUsage(parseJson(summary ?? '{}'), usedIn.get(id)) : [] }
  })
  return { calls, prices }
}

function hasTiers(prices: PricesByModel, model: string): boolean {
  return prices.get(model)?.some(({ details }) => details !== null && details.tiers.length > 0) ?? false
}
