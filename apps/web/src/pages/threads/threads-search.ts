import { type TimeRange, timeRanges } from '../../lib/time/time-range.ts'
import { textOf, wordOf } from '../../lib/search.ts'

export const threadOrders = ['last_updated', 'turn_count', 'p99_turn_duration_ms'] as const
export type ThreadOrder = (typeof threadOrders)[number]

/** Feedback on the whole conversation, or none, by which threads are chosen. */
export const threadFeedback = ['given', 'none', 'good', 'bad', 'starred', 'note', 'score'] as const
export type ThreadFeedback = (typeof threadFeedback)[number]

/** Search parameters of the list of threads. */
export interface ThreadsSearch {
  /** Only turns that started in this time. Default: all. */
  range?: TimeRange | undefined
  /** Descending. Default: the latest first. */
  order?: ThreadOrder | undefined
  /** Only conversations that were given such feedback, or none. Default: all. */
  feedback?: ThreadFeedback | undefined
  /** The only thread. */
  thread?: string | undefined
}

export const threadsSearch = (search: Record<string, unknown>): ThreadsSearch => ({
  range: wordOf(search, 'range', timeRanges),
  order: wordOf(search, 'order', threadOrders),
  feedback: wordOf(search, 'feedback', threadFeedback),
  thread: textOf(search, 'thread'),
})
