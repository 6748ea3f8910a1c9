import { searchOf, text, word } from '../../lib/search.ts'
import { someConditions } from '../filter/call-condition.ts'
import { detailsTabs } from './details-tabs.ts'
import { readLeastTotals } from './totals/least-totals.ts'
import { maxTextLength } from './conditions/text-filter.ts'

export const ranges = ['1h', '24h', '7d', '30d'] as const
export type Range = (typeof ranges)[number]
/** More columns would be unreadable. */
export const maxColumns = 20
/** Fields of the listed calls that are offered as columns. */
export const maxPaths = 300
/** Usual columns that may be hidden, in their order. The name of a call is always shown, as the link to its trace. */
export const hideableColumns = ['Status', 'Input', 'Output', 'Started', 'Scores', 'Latency', 'Tokens', 'Cost', 'Tags'] as const
export type HideableColumn = (typeof hideableColumns)[number]
/** Ids of the usual columns: their names in small letters. */
export type UsualColumn = Lowercase<HideableColumn> | 'name'

/** Search parameters of the calls table. */
export const callsSearch = searchOf({
  where: someConditions,
  /** The part of a search that conditions cannot express, as typed. */
  filter: text,
  /** A text that calls hold somewhere. */
  text: searchedText,
  /** Only traces whose totals reach these values. */
  traces: readLeastTotals,
  /** `all`: also calls below other calls. */
  level: word('all'),
  /** `error`: only calls that failed, or below which one did. */
  status: word('error'),
  /** `slowest`: the longest first. Default: the newest first. */
  sort: word('slowest'),
  /** `none`: only calls without feedback. */
  review: word('none'),
  /** `on`: shows when there are new calls. */
  live: word('on'),
  /** Under heads by what the rows are: such as `name`, or one of `columns`. */
  group: text,
  /** Usual columns that are not shown. */
  hidden: readHidden,
  /** Paths that are shown in addition to the usual columns, in this order. */
  columns: readColumns,
  /** Time range of the histogram. */
  range: word(...ranges),
  /** The call that is shown next to the table. */
  peek: text,
  tab: word(...detailsTabs),
})
export type CallsSearch = ReturnType<typeof callsSearch>

/** What of an address chooses calls and their order, without what else the page shows: the list that a call was opened from. */
export function listOf({ where, filter, text, traces, level, status, sort, review, range }: CallsSearch): CallsSearch {
  // The range chooses calls only by their traces.
  return { where, filter, text, traces, level, status, sort, review, ...(traces && { range }) }
}

function searchedText(value: unknown): string | undefined {
  const wanted = text(value)
  return wanted === undefined || wanted.length > maxTextLength ? undefined : wanted
}

/** Tags are a usual column; addresses that were kept may name it among the further ones. */
const tagsPath = 'tags'

function readColumns(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const paths = value.filter((path): path is string => typeof path === 'string' && path !== '' && path !== tagsPath)
  return paths.length > 0 ? [...new Set(paths)].slice(0, maxColumns) : undefined
}

function readHidden(value: unknown): HideableColumn[] | undefined {
  const words: readonly unknown[] = Array.isArray(value) ? value : []
  const hidden = hideableColumns.filter((column) => words.includes(column))
  return hidden.length > 0 ? hidden : undefined
}
