import type { CallsFilter } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import { stringifyJson } from '@heddle/service-kit/json'
import { LRUCache } from 'lru-cache'
import type { StartRange } from '../../query/calls-query.ts'
import type { CallKey, CallsSelection } from './calls-store.ts'

/** Remembers how far the pages of questions in the order of time reached, so that the next ones need not look at all calls. */
export interface PageReach {
  of(project: string, selection: CallsSelection): QuestionReach
}

/** Where the page of one question may lie. */
export interface QuestionReach {
  /** Times between which to look, one after the other. A page that is not full must be looked for again without them. */
  ranges: readonly StartRange[]
  learn(page: readonly CallKey[]): void
}

/** The first and the last start of a page. */
interface Reached {
  first: Micros
  last: Micros
}

const maxQuestions = 2_000
const longestQuestion = 4_000
/** Times the length of a page that the next answer may lie further on: pages are paged through, and calls are not spread evenly. */
const slack = 3
/** The same where only another question was asked before, to which more calls may be an answer. */
const slackOfOthers = [3, 30]
/** Calls of a page from which other questions can guess. */
const tellingPage = 20
/** A question that is not remembered. */
const nowhere: QuestionReach = { ranges: [], learn() {} }

export function createPageReach(): PageReach {
  /** Null: the page was not full, so all calls were looked at for it, and would be again. */
  const reached = new LRUCache<string, { page: Reached | null }>({ max: maxQuestions })
  const latest = new LRUCache<string, Reached>({ max: maxQuestions })
  return {
    of(project, selection) {
      const question = questionOf(project, selection)
      if (question === undefined) return nowhere
      const direction = stringifyJson([project, isNewestFirst(selection)])
      const isOpen = !namesCalls(selection.filter)
      const known = reached.get(question)
      const another = known === undefined && isOpen ? latest.get(direction) : undefined
      const ranges = another ? slackOfOthers.map((times) => rangeTo(another, times)) : known?.page ? [rangeTo(known.page, slack)] : []
      return {
        ranges: ranges.map((end) => (isNewestFirst(selection) ? { from: end } : { until: end })),
        learn(page) {
          const isFull = page.length > 0 && page.length === selection.limit
          const reach = isFull ? reachOf(page) : null
          reached.set(question, { page: reach })
          if (reach !== null && isOpen && page.length >= tellingPage) latest.set(direction, reach)
        },
      }
    },
  }
}

function reachOf(page: readonly CallKey[]): Reached {
  const [first, last] = [page[0], page.at(-1)] as [CallKey, CallKey]
  return { first: first.started_micros, last: last.started_micros }
}

/** Where a range ends that goes further than a page by so many times its length. */
function rangeTo({ first, last }: Reached, times: number): Micros {
  return last + times * (last - first)
}

/** A text for each question whose pages are in the order of time; where a page begins does not matter. */
function questionOf(project: string, { filter, query, sort_by, expand_columns, limit }: CallsSelection): string | undefined {
  const first = sort_by?.[0]
  if (limit === null || (first !== undefined && first.field !== 'started_at')) return undefined
  const question = stringifyJson([project, filter, query, sort_by, expand_columns])
  return question.length > longestQuestion ? undefined : question
}

/** True for a filter that the store answers by an index, or that few calls match. */
function namesCalls(filter: CallsFilter | null): boolean {
  const { call_ids, trace_ids, parent_ids, thread_ids, turn_ids } = filter ?? {}
  return [call_ids, trace_ids, parent_ids, thread_ids, turn_ids].some((ids) => (ids ?? []).length > 0)
}

function isNewestFirst({ sort_by }: CallsSelection): boolean {
  return sort_by?.[0]?.direction === 'desc'
}
