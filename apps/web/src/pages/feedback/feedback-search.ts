import { searchOf, text, word } from '../../lib/search.ts'
import { timeRanges } from '../../lib/time/time-range.ts'

/** Search parameters of the feedback page. */
export const feedbackSearch = searchOf({
  type: text,
  /** Id of the user who gave it. */
  author: text,
  /** Only notes that mention the person who looks. */
  mentions: word('me'),
  /** When the first of the listed feedback was given, inclusive. */
  from: time,
  /** When the last of the listed feedback was given, exclusive. */
  to: time,
  /** Time range of the charts. Default: 7 days. */
  range: word(...timeRanges),
})
export type FeedbackSearch = ReturnType<typeof feedbackSearch>

/** A moment that the server can read. */
function time(value: unknown): string | undefined {
  const moment = text(value)
  return moment === undefined || Number.isNaN(Date.parse(moment)) ? undefined : moment
}
