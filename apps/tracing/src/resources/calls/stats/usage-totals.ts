import type { UsageTotal, UsageTotals } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { ModelUsage } from '../../../query/model-usage.ts'
import { costOfUsage } from '../../costs/cost-of-usage.ts'
import type { PricesByModel } from '../../costs/price-usage.ts'
import type { PricesFor } from '../../costs/prices.ts'
import { checkRange } from './call-stats.ts'
import type { CallsStatsStore, UsageGroup, UsageScope } from './calls-stats-store.ts'

type UsageTotalsRequest = Omit<UsageScope, 'end' | 'now' | 'group_by'> & { end: Micros | null; group_by: UsageScope['group_by'] | 'model' }

interface UsageTotalsDeps {
  store: CallsStatsStore
  prices: PricesFor
  now: Micros
}

/** Sums up the usage of calls that started in a range, by group. @throws ApiError 422 for a range that is empty or too long */
export async function usageTotals(request: UsageTotalsRequest, { store, prices, now }: UsageTotalsDeps): Promise<UsageTotals> {
  const end = request.end ?? now
  checkRange(request.start, end)
  const { group_by, limit, project } = request
  const { groups, total } =
    group_by === 'model'
      ? toModelGroups(await store.usageGroups({ ...request, end, now, group_by: null }), limit)
      : await store.usageGroups({ ...request, end, now, group_by })
  const ofModels = await prices(
    project,
    groups.flatMap(({ usage }) => usage.map(({ model }) => model)),
  )
  return { groups: groups.map((group) => toUsageTotal(group, ofModels)), groups_left_out: total - groups.length }
}

/** One group that holds all usage, as a group for each of its models. */
function toModelGroups({ groups: [all] }: { groups: UsageGroup[] }, limit: number) {
  const groups = (all?.usage ?? []).map((usage): UsageGroup => ({ key: usage.model, usage: [usage] }))
  const sorted = groups.sort((a, b) => tokensOf(b) - tokensOf(a) || (a.key < b.key ? -1 : 1))
  return { groups: sorted.slice(0, limit), total: groups.length }
}

const tokensOf = ({ usage }: UsageGroup) => sumOf(usage, 'prompt_tokens') + sumOf(usage, 'completion_tokens')
const sumOf = (usage: readonly ModelUsage[], name: Exclude<keyof ModelUsage, 'model'>) => usage.reduce((sum, entry) => sum + entry[name], 0)

function toUsageTotal({ key, usage }: UsageGroup, prices: PricesByModel): UsageTotal {
  const { cost, unpriced } = costOfUsage(usage, prices)
  return {
    key: key === '' ? null : key,
    uses: sumOf(usage, 'uses'),
    input_tokens: sumOf(usage, 'prompt_tokens'),
    output_tokens: sumOf(usage, 'completion_tokens'),
    cache_read_input_tokens: sumOf(usage, 'cache_read_input_tokens'),
    cache_creation_input_tokens: sumOf(usage, 'cache_creation_input_tokens'),
    cost,
    unpriced_uses: unpriced,
  }
}
