import { textOf, wordOf } from '../../lib/search.ts'
import { type Condition, readConditions } from '../filter/call-condition.ts'
import { type DetailsTab, detailsTabs } from './details-tabs.ts'
import { type LeastTotals, readLeastTotals } from './totals/least-totals.ts'
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
export interface CallsSearch {
  where?: Condition[] | undefined
  /** The part of a search that conditions cannot express, as typed. */
  filter?: string | undefined
  /** A text that calls hold somewhere. */
  text?: string | undefined
  /** Only traces whose totals reach these values. */
  traces?: LeastTotals | undefined
  /** `all`: also calls below other calls. */
  level?: 'all' | undefined
  /** `error`: only calls that failed, or below which one did. */
  status?: 'error' | undefined
  /** `slowest`: the longest first. Default: the newest first. */
  sort?: 'slowest' | undefined
  /** `none`: only calls without feedback. */
  review?: 'none' | undefined
  /** `on`: shows when there are new calls. */
  live?: 'on' | undefined
  /** Under heads by what the rows are: such as `name`, or one of `columns`. */
  group?: string | undefined
  /** Usual columns that are not shown. */
  hidden?: HideableColumn[] | undefined
  /** Paths that are shown in addition to the usual columns, in this order. */
  columns?: string[] | undefined
  /** Time range of the histogram. */
  range?: Range | undefined
  /** The call that is shown next to the table. */
  peek?: string | undefined
  tab?: DetailsTab | undefined
}

export function callsSearch(search: Record<string, unknown>): CallsSearch {
  const where = readConditions(search['where'])
  const columns = readColumns(search['columns'])
  const hidden = readHidden(search['hidden'])
  return {
    where: where.length > 0 ? where : undefined,
    filter: textOf(search, 'filter'),
    text: searchedText(search),
    traces: readLeastTotals(search['traces']),
    level: wordOf(search, 'level', ['all']),
    status: wordOf(search, 'status', ['error']),
    sort: wordOf(search, 'sort', ['slowest']),
    review: wordOf(search, 'review', ['none']),
    live: wordOf(search, 'live', ['on']),
    group: textOf(search, 'group'),
    hidden: hidden.length > 0 ? hidden : undefined,
    columns: columns.length > 0 ? columns : undefined,
    range: wordOf(search, 'range', ranges),
    peek: textOf(search, 'peek'),
    tab: wordOf(search, 'tab', detailsTabs),
  }
}

/** What of an address chooses calls and their order, without what else the page shows: the list that a call was opened from. */
export function listOf({ where, filter, text, traces, level, status, sort, review, range }: CallsSearch): CallsSearch {
  // The range chooses calls only by their traces.
  return { where, filter, text, traces, level, status, sort, review, ...(traces && { range }) }
}

function searchedText(search: Record<string, unknown>): string | undefined {
  const text = textOf(search, 'text')
  return text === undefined || text.length > maxTextLength ? undefined : text
}

/** Tags are a usual column; addresses that were kept may name it among the further ones. */
const tagsPath = 'tags'

function readColumns(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  const paths = value.filter((path): path is string => typeof path === 'string' && path !== '' && path !== tagsPath)
  return [...new Set(paths)].slice(0, maxColumns)
}

function readHidden(value: unknown): HideableColumn[] {
  const words: readonly unknown[] = Array.isArray(value) ? value : []
  return hideableColumns.filter((column) => words.includes(column))
}
