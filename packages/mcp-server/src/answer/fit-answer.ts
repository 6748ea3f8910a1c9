import { stringifyJson } from '@heddle/json/exact'
import type { Answer, AnswerPage, Envelope } from './answer.ts'
import type { PageStart } from './cursor.ts'
import { cutTexts } from './cut-texts.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { halveLargest } from './halve-largest.ts'
import { toText } from './to-text.ts'

export interface FitOptions {
  maxTokens: number
  /** Makes the cursor of the page that begins there. */
  cursorOf: (start: PageStart) => string
}

/** An answer in the form in which it is sent. */
export interface FittedAnswer {
  text: string
  envelope: Envelope
}

/** What tokenizers count more than the estimate. */
const inHand = 0.9
/** Characters of a text, in the order in which they are tried: legible lengths first, and the least only after rows were dropped. */
const textLimits = [4_000, 1_500, 600, 240]
const leastText = 64

/**
 * Fits an answer into `maxTokens`, its text and its structured form separately: first long texts are cut, then entries are dropped, with a cursor for
 * the rest, then all entries; `truncated` reports it. Ids and scores are dropped last.
 */
export function fitAnswer(answer: Answer, { maxTokens, cursorOf }: FitOptions): FittedAnswer {
  const budget = Math.floor(maxTokens * inHand)
  const fits = (attempt: FittedAnswer) =>
    estimateTokens(attempt.text) <= budget && estimateTokens(stringifyJson(attempt.envelope)) <= budget
  const build = (state: FitState) => present(answer, state, cursorOf)

  const whole: FitState = { data: answer.data, entries: entriesOf(answer).length, dropped: [] }
  const first = build(whole)
  if (fits(first)) return first

  let shorter = whole
  for (const limit of textLimits) {
    shorter = cutState(answer, limit)
    const attempt = build(shorter)
    if (fits(attempt)) return attempt
  }
  return (
    fewerEntries(answer, shorter, { build, fits }) ??
    fewerEntries(answer, cutState(answer, leastText), { build, fits }) ??
    least(answer, { build, fits })
  )
}

interface FitState {
  data: Record<string, unknown>
  /** Entries of the list that are kept. */
  entries: number
  dropped: string[]
}

interface Attempts {
  build(state: FitState): FittedAnswer
  fits(attempt: FittedAnswer): boolean
}

function entriesOf({ data, page }: Answer): unknown[] {
  return page ? (data[page.key] as unknown[]) : []
}

function cutState(answer: Answer, limit: number): FitState {
  const { value, cut } = cutTexts(answer.data, limit)
  const dropped = cut > 0 ? [`the middle of ${cut} texts longer than ${limit} characters`] : []
  return { data: value as Record<string, unknown>, entries: entriesOf(answer).length, dropped }
}

/** The most entries that fit, at least one; undefined when not even that does. */
function fewerEntries(answer: Answer, state: FitState, { build, fits }: Attempts): FittedAnswer | undefined {
  const all = entriesOf(answer).length
  const attemptWith = (entries: number) =>
    build({ ...state, entries, dropped: [...state.dropped, `${all - entries} of ${all} entries of \`${answer.page?.key}\``] })
  let [low, high] = [0, all - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(attemptWith(middle))) low = middle
    else high = middle - 1
  }
  return low >= 1 ? attemptWith(low) : undefined
}

/** Fallback if no entry fits: the rest of the data, in which the longest lists are halved until it fits. */
function least(answer: Answer, { build, fits }: Attempts): FittedAnswer {
  const cut = cutState(answer, leastText)
  const all = entriesOf(answer).length
  let data = answer.page ? { ...cut.data, [answer.page.key]: [] } : cut.data
  const dropped = [...cut.dropped, ...(all > 0 ? [`all ${all} entries of \`${answer.page?.key}\``] : [])]
  for (let halved = 0; ; halved++) {
    const attempt = build({ data, entries: 0, dropped: halved > 0 ? [...dropped, 'the ends of long lists'] : dropped })
    if (fits(attempt)) return attempt
    const smaller = halveLargest(data)
    if (smaller === undefined) return attempt
    data = smaller
  }
}

function present(
  { headline, page, warnings = [] }: Answer,
  { data, entries, dropped }: FitState,
  cursorOf: FitOptions['cursorOf'],
): FittedAnswer {
  const envelope: Envelope = {
    data: page ? { ...data, [page.key]: (data[page.key] as unknown[]).slice(0, entries) } : data,
    warnings: [...warnings],
  }
  if (page) {
    const all = (data[page.key] as unknown[]).length
    const next = page.offset + entries
    const hasMore = entries > 0 && (page.hasMore || entries < all)
    envelope.page = {
      ...(hasMore && { next_cursor: cursorOf({ offset: next, ...anchorAfter(page, envelope.data) }) }),
      returned: entries,
      ...(page.total !== undefined && { total: page.total }),
    }
  }
  if (dropped.length > 0) {
    envelope.truncated = {
      reason: 'more than max_tokens',
      dropped,
      how_to_get_the_rest: envelope.page?.next_cursor
        ? 'Pass next_cursor as cursor for more entries; a higher max_tokens or detail keeps texts longer.'
        : 'Pass a higher max_tokens (up to 20000), ask for fewer fields, or read one entry by its id or link.',
    }
  }
  return { text: toText(headline, envelope), envelope }
}

function anchorAfter({ key, anchor, after }: AnswerPage, data: Record<string, unknown>): { anchor?: string } {
  const last = (data[key] as object[]).at(-1)
  if (after && last) return { anchor: after(last) }
  return anchor === undefined ? {} : { anchor }
}
