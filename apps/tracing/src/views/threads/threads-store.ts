import type { QueryExpression, SortBy } from '@heddle/core-api'
import type { Thread } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'

/** A field by which threads are ordered. */
export const threadFields = [
  'thread_id',
  'turn_count',
  'start_time',
  'last_updated',
  'p50_turn_duration_ms',
  'p99_turn_duration_ms',
] as const
export type ThreadField = (typeof threadFields)[number]

/** Which threads, in which order. */
export interface ThreadsSelection {
  /** Only turns that started after this. Null: any. */
  after: Micros | null
  /** Only turns that started before this. Null: any. */
  before: Micros | null
  /** Null: all threads that have a name. */
  thread_ids: readonly string[] | null
  /** Only threads with feedback on the whole conversation that this matches. Null: all. */
  feedback: QueryExpression | null
  /** Only threads without such feedback. Null: all. */
  without_feedback: QueryExpression | null
  order: readonly { field: ThreadField; direction: SortBy['direction'] }[]
  limit: number | null
  offset: number | null
}

/** Source of threads: the turns among the calls. */
export interface ThreadsStore {
  /** Threads in order, in blocks. @throws ApiError 400 for a negative limit or offset, and for a query that feedback cannot be found by. */
  select(project: ProjectScope, selection: ThreadsSelection): AsyncIterable<Thread[]>
}
