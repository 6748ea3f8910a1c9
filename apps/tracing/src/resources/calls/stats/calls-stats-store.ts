import type { Micros } from '@heddle/datastore'
import type { CallsFilter } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'
import type { ModelUsage } from '../../../query/model-usage.ts'
import type { CallMetric, Stat, TokenMetric } from './stats-metrics.ts'

/** Which calls a statistic is about, and how they are grouped. */
export interface StatsScope {
  project: ProjectScope
  filter: CallsFilter | null
  /** Inclusive. */
  start: Micros
  /** Exclusive. */
  end: Micros
  /** Starts of all buckets, ascending; the first is not after `start`. */
  buckets: readonly Micros[]
  /** Calls that expired before this time do not count. */
  now: Micros
}

/** Stats of one bucket, in the order in which they were asked for; null where there are no values. */
export interface BucketStats {
  bucket: Micros
  /** Values that were summed up: usage entries or calls. */
  count: number
  stats: (number | null)[]
}

/** Which usage is summed up, and how it is grouped. */
export interface UsageScope extends Omit<StatsScope, 'buckets'> {
  /** Null: all of it is one group. */
  group_by: 'op' | 'user' | 'thread' | null
  /** Groups to return: those with the most tokens. */
  limit: number
}

export interface UsageGroup {
  /** `''` for calls without one. */
  key: string
  usage: ModelUsage[]
}

/** What statistics over calls ask of storage. Buckets without data are left out. */
export interface CallsStatsStore {
  usageBuckets(scope: StatsScope, stats: readonly Stat<TokenMetric>[]): Promise<(BucketStats & { model: string })[]>
  /** Of usage that is not counted in another call's; `total` counts the groups beyond the limit too. */
  usageGroups(scope: UsageScope): Promise<{ groups: UsageGroup[]; total: number }>
  callBuckets(scope: StatsScope, stats: readonly Stat<CallMetric>[]): Promise<BucketStats[]>
}
