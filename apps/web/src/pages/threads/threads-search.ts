import { timeRanges } from '../../lib/time/time-range.ts'
import { searchOf, text, word } from '../../lib/search.ts'

export const threadOrders = ['last_updated', 'turn_count', 'p99_turn_duration_ms'] as const
export type ThreadOrder = (typeof threadOrders)[number]

/** Feedback on the whole conversation, or none, by which threads are chosen. */
export const threadFeedback = ['given', 'none', 'good', 'bad', 'starred', 'note', 'score'] as const
export type ThreadFeedback = (typeof threadFeedback)[number]

/** Search parameters of the list of threads. */
export const threadsSearch = searchOf({
  /** Only turns that started in this time. Default: all. */
  range: word(...timeRanges),
  /** Descending. Default: the latest first. */
  order: word(...threadOrders),
  /** Only conversations that were given such feedback, or none. Default: all. */
  feedback: word(...threadFeedback),
  /** The only thread. */
  thread: text,
})
export type ThreadsSearch = ReturnType<typeof threadsSearch>
