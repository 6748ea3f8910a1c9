import { textOf, wordOf } from '../../lib/search.ts'
import { type TimeRange, timeRanges } from '../../lib/time/time-range.ts'

/** Search parameters of the feedback page. */
export interface FeedbackSearch {
  type?: string | undefined
  /** Id of the user who gave it. */
  author?: string | undefined
  /** Only notes that mention the person who looks. */
  mentions?: 'me' | undefined
  /** When the first of the listed feedback was given, inclusive. */
  from?: string | undefined
  /** When the last of the listed feedback was given, exclusive. */
  to?: string | undefined
  /** Time range of the charts. Default: 7 days. */
  range?: TimeRange | undefined
}

export const feedbackSearch = (search: Record<string, unknown>): FeedbackSearch => ({
  type: textOf(search, 'type'),
  author: textOf(search, 'author'),
  mentions: wordOf(search, 'mentions', ['me']),
  from: timeOf(search, 'from'),
  to: timeOf(search, 'to'),
  range: wordOf(search, 'range', timeRanges),
})

/** A moment that the server can read; undefined for all else. */
function timeOf(search: Record<string, unknown>, name: string): string | undefined {
  const text = textOf(search, name)
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text
}
