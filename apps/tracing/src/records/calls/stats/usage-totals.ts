import type { UsageTotal, UsageTotals } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { PaidCounts } from '@heddle/trace-model'
import { localTime, zoneClock } from '@heddle/trace-model/time'
import type { ModelUsage } from '../../../query/model-usage.ts'
import { isSplit, noSplits, type PriceSplits } from '../../../query/price-splits.ts'
import { costOfUsage } from '../../costs/cost-of-usage.ts'
import type { PricesByModel } from '../../costs/price-usage.ts'
import type { PricesFor } from '../../costs/prices.ts'
import { splitPrices } from '../../costs/split-prices.ts'
import { checkRange, checkTimeZone } from './call-stats.ts'
import type { CallsStatsStore, CountedCalls, DaysOfRange, UsageGroup, UsageGrouping, UsageScope } from './calls-stats-store.ts'
import { bucketsOfRange } from '../../../query/stats-buckets.ts'

type UsageTotalsRequest = Omit<UsageScope, 'end' | 'now' | 'group_by'> & {
  end: Micros | null
  group_by: Exclude<UsageGrouping, DaysOfRange> | 'day'
  timezone: string
  /** Also count the calls. */
  include_calls: boolean
}

interface UsageTotalsDeps {
  store: CallsStatsStore
  prices: PricesFor
  now: Micros
}

/**
 * Sums up the usage of calls that started in a range, by group; each call is priced at the rates in force when it started. @throws ApiError 422 for a
 * range that is empty or too long, 400 for an unknown time zone
 */
export async function usageTotals(request: UsageTotalsRequest, { store, prices, now }: UsageTotalsDeps): Promise<UsageTotals> {
  const end = request.end ?? now
  checkRange(request.start, end)
  checkTimeZone(request.timezone)
  const { limit, project } = request
  const group_by = groupingOf({ ...request, end })
  const read = async (splits: PriceSplits) =>
    group_by === 'model'
      ? toModelGroups(await store.usageGroups({ ...request, end, now, group_by: null }, splits), limit)
      : store.usageGroups({ ...request, end, now, group_by }, splits)
  const whole = await read(noSplits)
  const used = whole.groups.flatMap(({ usage }) => usage)
  const ofModels = await prices(
    project,
    used.map(({ model }) => model),
  )
  const splits = splitPrices(used, ofModels)
  const { groups, total } = isSplit(splits) ? await read(splits) : whole
  const keys = groups.map(({ key }) => key)
  const calls = request.include_calls ? await store.countedCalls({ ...request, end, now, by: group_by, keys }) : undefined
  return {
    groups: groups.map((group) => {
      const total = toUsageTotal({ ...group, key: keyOf(group.key, request) }, ofModels)
      return { ...total, ...(calls && { calls: calls.get(group.key) ?? noCalls }) }
    }),
    groups_left_out: total - groups.length,
    traces_behind: await store.countBehind(project),
  }
}

function groupingOf({ group_by, start, end, timezone }: UsageTotalsRequest & { end: Micros }): UsageGrouping {
  if (group_by !== 'day') return group_by
  // An empty range has a day, too.
  return { days: bucketsOfRange({ start, end: Math.max(end, start + 1), granularity: daySeconds, timezone }) }
}

const daySeconds = 86_400

/** The key of a group in the answer: of a day, its date. */
const keyOf = (key: string, { group_by, timezone }: UsageTotalsRequest) =>
  group_by === 'day' ? localTime(Number(key) / 1e6, zoneClock(timezone)).date : key

const noCalls: CountedCalls = { count: 0, errors: 0, p50_latency_ms: null, p95_latency_ms: null }

/** One group that holds all usage, as a group for each of its models. */
function toModelGroups({ groups: [all] }: { groups: UsageGroup[] }, limit: number) {
  const byModel = new Map<string, ModelUsage[]>()
  for (const usage of all?.usage ?? []) byModel.set(usage.model, [...(byModel.get(usage.model) ?? []), usage])
  const groups = [...byModel].map(([key, usage]): UsageGroup => ({ key, usage }))
  const sorted = groups.sort((a, b) => tokensOf(b.usage) - tokensOf(a.usage) || (a.key < b.key ? -1 : 1))
  return { groups: sorted.slice(0, limit), total: groups.length }
}

const tokensOf = (usage: readonly ModelUsage[]) => usage.reduce((sum, { total }) => sum + total, 0)
const sumOf = (usage: readonly ModelUsage[], name: keyof PaidCounts) => usage.reduce((sum, { counts }) => sum + counts[name], 0)

function toUsageTotal({ key, usage }: UsageGroup, prices: PricesByModel): UsageTotal {
  const { cost, unpriced, pricedAs, reported } = costOfUsage(usage, prices)
  return {
    key: key === '' ? null : key,
    uses: usage.reduce((sum, entry) => sum + entry.uses, 0),
    input_tokens: sumOf(usage, 'input'),
    output_tokens: sumOf(usage, 'output'),
    total_tokens: tokensOf(usage),
    cache_read_input_tokens: sumOf(usage, 'cacheRead'),
    cache_creation_input_tokens: sumOf(usage, 'cacheWrite'),
    cost,
    unpriced_uses: unpriced,
    priced_as: pricedAs,
    reported_uses: reported,
  }
}
