import type { Micros } from '@heddle/datastore'
import { stringifyJson } from '@heddle/service-kit/json'
import { LRUCache } from 'lru-cache'
import type { StartRange } from '../../query/calls-query.ts'
import type { CallKey, CallsSelection } from './calls-store.ts'

/** Remembers how far the pages of questions in the order of time reached, so that the same question need not look at all calls again. */
export interface PageReach {
  of(project: string, selection: CallsSelection): QuestionReach
}

/** How far the pages of one question reached. */
export interface QuestionReach {
  /** The times between which the page probably lies; undefined when nothing is known. A page that is not full must be looked for again without it. */
  range: StartRange | undefined
  learn(page: readonly CallKey[]): void
}

const maxQuestions = 2_000
const longestQuestion = 4_000
/** Times the length of a page that the next answer may lie further on: pages are paged through, and calls are not spread evenly. */
const slack = 3
/** A question that is not remembered. */
const nowhere: QuestionReach = { range: undefined, learn() {} }

export function createPageReach(): PageReach {
  const reached = new LRUCache<string, StartRange>({ max: maxQuestions })
  return {
    of(project, selection) {
      const question = questionOf(project, selection)
      if (question === undefined) return nowhere
      return {
        range: reached.get(question),
        learn(page) {
          const [first, last] = [page[0], page.at(-1)]
          if (first === undefined || last === undefined || page.length < (selection.limit ?? 0)) {
            // All calls were looked at for it, and would be again.
            reached.delete(question)
            return
          }
          const reach: Micros = last.started_micros + slack * (last.started_micros - first.started_micros)
          reached.set(question, isNewestFirst(selection) ? { from: reach } : { until: reach })
        },
      }
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
