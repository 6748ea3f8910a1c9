import type { Micros } from '@heddle/datastore'
import type { CallsFilter, QueryExpression, TraceTotal } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'
import type { ModelUsage } from '../../../query/model-usage.ts'
import type { TokenPrices } from '../../costs/cost-row.ts'
import type { CallMetric, Stat, TokenMetric } from './stats-metrics.ts'

/** Which calls a statistic is about, and how they are grouped. */
export interface StatsScope {
  project: ProjectScope
  filter: CallsFilter | null
  /** Must hold beside the filter. */
  query: QueryExpression | null
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

/** By model, a call is in the group of each model that its summary says it used. */
export type StatsGrouping = CallGrouping | 'model'

/** The groups by which buckets are split; calls of others do not count. */
export interface StatsGroups {
  by: StatsGrouping
  groups: readonly StatsGroup[]
}

export interface StatsGroup {
  /** Of the store. Unlike a key, which may hold anything, it can stand in a request to the store. */
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

/** Stats of one bucket, in the order in which they were asked for; null where there are no values. */
export interface BucketStats {
  bucket: Micros
  /** Id of the group; `''` where buckets are not split. */
  group: string
  /** Values that were summed up: usage entries or calls. */
  count: number
  stats: (number | null)[]
}

/** Which usage is summed up, and how it is grouped. */
export interface UsageScope extends Omit<StatsScope, 'buckets' | 'groups' | 'query'> {
  /** Null: all of it is one group. */
  group_by: CallGrouping | null
  /** Groups to return: those with the most tokens. */
  limit: number
}

export interface UsageGroup {
  /** `''` for calls without one. */
  key: string
  usage: ModelUsage[]
}

/** Calls that started in a range of time. */
export type RangeScope = Pick<StatsScope, 'project' | 'start' | 'end' | 'now'>

export interface ModelPrice {
  model: string
  price: TokenPrices
}

/** Which traces are found, the newest first. */
export interface TracesScope extends RangeScope {
  /** Null: all. */
  traceIds: readonly string[] | null
  /** Least sums of a trace. Null: any. */
  least: Record<'calls' | 'errors' | 'tokens' | 'cost' | 'duration_ms', number | null>
  /** Of the models that have one. */
  prices: readonly ModelPrice[]
  limit: number
}

/** What statistics over calls ask of storage. Buckets without data are left out. */
export interface CallsStatsStore {
  /** `total` counts the groups beyond the limit too. */
  groups(scope: GroupsScope): Promise<{ groups: StatsGroup[]; total: number }>
  usageBuckets(scope: StatsScope, stats: readonly Stat<TokenMetric>[]): Promise<(BucketStats & { model: string })[]>
  /** Of usage that counts; `total` counts the groups beyond the limit too. */
  usageGroups(scope: UsageScope): Promise<{ groups: UsageGroup[]; total: number }>
  /** Names of the models in usage that counts. */
  modelsUsed(scope: RangeScope): Promise<string[]>
  traceTotals(scope: TracesScope): Promise<(Omit<TraceTotal, 'started_at'> & { started_at: Micros })[]>
  callBuckets(scope: StatsScope, stats: readonly Stat<CallMetric>[]): Promise<BucketStats[]>
}
