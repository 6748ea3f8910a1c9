import type { Micros } from '@heddle/datastore'
import type { CallsFilter, QueryExpression } from '@heddle/core-api'
import type { TraceTotal } from '@heddle/core-api/types'
import type { ProjectScope } from '@heddle/identity'
import type { DetailCounts, TokenRates } from '@heddle/trace-model'
import type { ModelUsage } from '../../../query/model-usage.ts'
import type { PriceSplits, UsedModel } from '../../../query/price-splits.ts'
import type { CallMetric, PaidMetric, Stat, TokenMetric } from './stats-metrics.ts'

/** Which calls a statistic is about, and how they are grouped. */
export interface StatsScope {
  project: ProjectScope
  filter: CallsFilter | null
  /** Must hold in addition to the filter. */
  query: QueryExpression | null
  /** Sum up what counts of the usage of the calls, also where the filter does not name traces. */
  counted_usage?: boolean
  /** Inclusive. */
  start: Micros
  /** Exclusive. */
  end: Micros
  /** Starts of all buckets, ascending; the first is not after `start`. */
  buckets: readonly Micros[]
  /** Null: a bucket is not split. */
  groups: StatsGroups | null
  /** Calls that expired before this time do not count. */
  now: Micros
}

export type CallGrouping = 'op' | 'user' | 'thread'

/** By model, a call is in the group of each model in its summary's usage. */
export type StatsGrouping = CallGrouping | 'model'

/** The groups by which buckets are split; calls of other groups do not count. */
export interface StatsGroups {
  by: StatsGrouping
  groups: readonly StatsGroup[]
}

export interface StatsGroup {
  /** Identifier in the store. Unlike a key, which may contain anything, it is valid in a request to the store. */
  id: string
  /** `''` for calls without one. */
  key: string
}

/** Which groups are found, the largest first. */
export interface GroupsScope extends Omit<StatsScope, 'buckets' | 'groups'> {
  by: StatsGrouping
  /** What makes a group large. */
  size: 'calls' | 'tokens'
  limit: number
}

/** Stats of one bucket, in the requested order; null if there are no values. */
export interface BucketStats {
  bucket: Micros
  /** Id of the group; `''` where buckets are not split. */
  group: string
  /** Values that were summed up: usage entries or calls. */
  count: number
  stats: (number | null)[]
}

/** Stats of the uses of one model. */
export type UsageBucket = BucketStats & UsedModel

/** By status, the groups are statuses of calls; by days, their starts. */
export type UsageGrouping = StatsGrouping | 'status' | DaysOfRange

/** Starts of all days of a range, ascending; the first is not after its start. */
export interface DaysOfRange {
  days: readonly Micros[]
}

/** Which usage is summed up, and how it is grouped. */
export interface UsageScope extends Omit<StatsScope, 'buckets' | 'groups' | 'query'> {
  /** Null: all of it is one group. */
  group_by: Exclude<UsageGrouping, 'model'> | null
  /** Groups to return: those with the most tokens. */
  limit: number
}

export interface UsageGroup {
  /** `''` for calls without one. */
  key: string
  usage: ModelUsage[]
}

/** The calls whose usage a group sums up. */
export interface CountedCalls {
  count: number
  errors: number
  /** Null while none has ended. */
  p50_latency_ms: number | null
  p95_latency_ms: number | null
}

/** The groups whose calls are counted. */
export interface CountedCallsScope extends Omit<UsageScope, 'group_by' | 'limit'> {
  by: UsageGrouping
  keys: readonly string[]
}

/** Calls that started in a range of time. */
export type RangeScope = Pick<StatsScope, 'project' | 'start' | 'end' | 'now'>

/** Prices of one model for all that it was used for. */
export interface ModelRates {
  model: string
  /** If the model has no price under its own name, the name of the price used; null otherwise. */
  pricedAs: string | null
  /** Times and sizes of requests at which the price changes, ascending, and tiers of service with different prices. */
  changes: readonly Micros[]
  bounds: readonly number[]
  serviceTiers: readonly string[]
  /** For each period between changes, for each tier, for each band between bounds. */
  rates: readonly TokenRates[]
}

/** Usage of a model, with the sums of the tokens that may be priced separately. */
export interface UsedTokens extends UsedModel {
  details: DetailCounts
}

/** Which traces are found, the newest first. */
export interface TracesScope extends RangeScope {
  /** Null: all. */
  traceIds: readonly string[] | null
  /** Least sums of a trace. Null: any. */
  least: Record<'calls' | 'errors' | 'tokens' | 'cost' | 'duration_ms', number | null>
  /** Prices of the models that have one. */
  prices: readonly ModelRates[]
  /** Each model has one price for all that was used of it: sums over traces are enough. */
  isOnePrice: boolean
  limit: number
}

/** Storage access of statistics over calls. Buckets without data are omitted. */
export interface CallsStatsStore {
  /** `total` counts the groups beyond the limit too. */
  groups(scope: GroupsScope): Promise<{ groups: StatsGroup[]; total: number }>
  /**
   * Metrics of paid tokens cover usage that counts; for reported usage they are omitted, and only the part that no price applies to is split off. A
   * bucket has an entry for each model and price.
   * @param splits null if no costs are requested
   */
  usageBuckets(scope: StatsScope, stats: readonly Stat<TokenMetric | PaidMetric>[], splits: PriceSplits | null): Promise<UsageBucket[]>
  /** Of usage that counts, by model, service tier and what else is split; `total` counts the groups beyond the limit too. */
  usageGroups(scope: UsageScope, splits: PriceSplits): Promise<{ groups: UsageGroup[]; total: number }>
  /** The calls whose usage counts, by the key of their group; groups without any are omitted. */
  countedCalls(scope: CountedCallsScope): Promise<Map<string, CountedCalls>>
  /** Traces whose usage does not have all of their calls yet. */
  countBehind(project: ProjectScope): Promise<number>
  /** The models in usage that counts of the traces of a range, of which some calls may have started after it. */
  modelsUsed(scope: Pick<TracesScope, keyof RangeScope | 'traceIds'>): Promise<UsedTokens[]>
  traceTotals(scope: TracesScope): Promise<(Omit<TraceTotal, 'started_at'> & { started_at: Micros })[]>
  callBuckets(scope: StatsScope, stats: readonly Stat<CallMetric>[]): Promise<BucketStats[]>
}
