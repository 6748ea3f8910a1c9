import type { Micros } from '@heddle/datastore'
import { stringifyJson } from '@heddle/service-kit/json'
import { LRUCache } from 'lru-cache'
import type { StartRange } from '../../query/calls-query.ts'
import type { CallKey, CallsSelection } from './calls-store.ts'

/** Remembers how far the pages of questions in the order of time reached, so that the same question need not look at all calls again. */
export interface PageReach {
  /** The times between which the page probably lies; undefined when nothing is known. A page that is not full must be looked for again without it. */
  rangeOf(project: string, selection: CallsSelection): StartRange | undefined
  learn(project: string, selection: CallsSelection, page: readonly CallKey[]): void
}

const maxQuestions = 2_000
const longestQuestion = 4_000
/** Times the length of a page that the next answer may lie further on: pages are paged through, and calls are not spread evenly. */
const slack = 8

export function createPageReach(): PageReach {
  const reached = new LRUCache<string, StartRange>({ max: maxQuestions })
  return {
    rangeOf(project, selection) {
      const question = questionOf(project, selection)
      return question === undefined ? undefined : reached.get(question)
    },
    learn(project, selection, page) {
      const question = questionOf(project, selection)
      const first = page[0]
      const last = page.at(-1)
      if (question === undefined || first === undefined || last === undefined) return
      const reach: Micros = last.started_micros + slack * (last.started_micros - first.started_micros)
      reached.set(question, isNewestFirst(selection) ? { from: reach } : { until: reach })
    },
  }
}

/** A text for each question whose pages are in the order of time; where a page begins does not matter. */
function questionOf(project: string, { filter, query, sort_by, expand_columns, limit }: CallsSelection): string | undefined {
  const first = sort_by?.[0]
  if (limit === null || (first !== undefined && first.field !== 'started_at')) return undefined
  const question = stringifyJson([project, filter, query, sort_by, expand_columns])
  return question.length > longestQuestion ? undefined : question
}

function isNewestFirst({ sort_by }: CallsSelection): boolean {
  return sort_by?.[0]?.direction === 'desc'
}
