import type { Micros } from '@heddle/datastore'
import type { QueryExpression } from '@heddle/core-api'
import type { FeedbackAggregate } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { FeedbackStat } from './feedback-metrics.ts'

/** Which feedback a statistic is about. */
export interface FeedbackScope {
  project: ProjectScope
  /** Inclusive. */
  start: Micros
  /** Exclusive. */
  end: Micros
  /** Exact. Null: any. */
  feedback_type: string | null
  /** Exact, or all versions where it ends in `:*`. Null: any. */
  trigger_ref: string | null
  /** Must hold too. */
  query: QueryExpression | null
}

export type FeedbackGrouping = 'type' | 'scorer' | 'user' | 'reaction'

/** The groups by which buckets are split; feedback of other groups does not count. */
export interface FeedbackGroups {
  by: FeedbackGrouping
  groups: readonly FeedbackGroup[]
}

export interface FeedbackGroup {
  /** Identifier in the store. Unlike a key, which may contain anything, it is valid in a request to the store. */
  id: string
  /** `''` for feedback without one. */
  key: string
}

/** Stats of one bucket, in the requested order; null if there are no values. */
export interface FeedbackBucket {
  bucket: Micros
  /** Id of the group; `''` where buckets are not split. */
  group: string
  /** Feedback in the bucket. */
  count: number
  stats: (number | null)[]
}

/** Which feedback is added up, and by what. */
export type AggregateScope = Omit<FeedbackAggregate, 'project_id'> & { project: ProjectScope }

/** Sums of one bucket and group. */
export interface AggregatedFeedback {
  /** Unix milliseconds; null where time is not divided. */
  time_bucket_start_ms: number | null
  /** Value of each part of `group_by`, in its order. */
  group: string[]
  total_count: number
  scored_count: number
  tag_counts: Map<string, number>
  rating_counts: Map<string, number>
  rating_sums: Map<string, number>
}

/** Into what statistics are split. */
export interface FeedbackSplit {
  /** Starts of all buckets, ascending. */
  starts: readonly Micros[]
  /** Null: a bucket is not split. */
  groups: FeedbackGroups | null
}

/** Storage access of statistics over feedback. */
export interface FeedbackStatsStore {
  /** Stats by bucket and group. Combinations without feedback are omitted. */
  buckets(scope: FeedbackScope, split: FeedbackSplit, stats: readonly FeedbackStat[]): Promise<FeedbackBucket[]>
  /** The groups with the most feedback first; `total` counts those beyond the limit too. */
  groups(scope: FeedbackScope, by: FeedbackGrouping, limit: number): Promise<{ groups: FeedbackGroup[]; total: number }>
  /** The newest payload of each trigger, as JSON text, in blocks; feedback without a trigger counts as of one. At most `limit` of them. */
  newestPayloads(scope: FeedbackScope, limit: number): AsyncIterable<string[]>
  /** Sums by bucket and group, ordered by time and then by group. Empty ones are omitted. */
  aggregate(scope: AggregateScope): Promise<AggregatedFeedback[]>
}
