import { type Condition, maxConditions } from '../../filter/call-condition.ts'
import type { CallsSearch } from '../calls-search.ts'
import { maxTextLength } from './text-filter.ts'
import { isOfModel, parseCallsFilter } from '../../filter/calls-filter.ts'
import { conditionsOfFilter, parseFilter } from '../../filter/parse-filter.ts'
import { FilterProblem, readTokens } from '../../filter/read-tokens.ts'

/**
 * The search that a typed text adds: conditions, a filter that they cannot express, or, if it contains no comparison, a search for the text.
 * @throws FilterProblem with the position of the error
 */
export function searchOfTyped(typed: string, { where = [], filter }: Pick<CallsSearch, 'where' | 'filter'>): CallsSearch {
  const text = typed.trim()
  if (text === '') return {}
  if (!comparesSomething(text)) {
    if (text.length > maxTextLength) throw new FilterProblem(`a text to look for has at most ${maxTextLength} characters`, maxTextLength)
    return { text }
  }
  const added = conditionsOfFilter(parseCallsFilter(text))
  const others = added?.filter((one) => !isFailure(one)) ?? []
  const all = [...where, ...others]
  if (added !== undefined && all.length <= maxConditions) {
    return {
      ...(others.length > 0 && { where: all }),
      ...(others.length < added.length && { status: 'error' }),
      // Traces have no model.
      ...(others.some(isOfModel) && { level: 'all' }),
    }
  }
  return { filter: filter === undefined ? text : `(${filter}) and (${text})` }
}

/** A trace has failed also where a call below it has. */
const isFailure = ({ path, operator, value }: Condition) => path === 'summary.weave.status' && operator === '=' && value === 'error'

/** Whether a text is meant as a filter: it has a comparison after its first word, or a comparison sign anywhere. */
function comparesSomething(text: string): boolean {
  try {
    const tokens = readTokens(text)
    return tokens.some(({ kind }) => kind === 'operator') || tokens[1]?.text.toLowerCase() === 'contains'
  } catch {
    return false
  }
}

/** The problem of a filter, for example that of an address. */
export function problemOf(filter: string | undefined): FilterProblem | undefined {
  try {
    if (filter !== undefined) parseFilter(filter)
    return undefined
  } catch (error) {
    if (error instanceof FilterProblem) return error
    throw error
  }
}
