import type { QueryOperation } from '@heddle/core-api'
import { type Condition, jsonOf, operators, readValue, toOperation } from './call-condition.ts'
import { FilterProblem, isUnfinished, readTokens, type Token } from './read-tokens.ts'

/** Conditions, joined by words. */
export type Filter = { condition: Condition } | { and: Filter[] } | { or: Filter[] } | { not: Filter }

/** Longer filters were not written by hand. */
export const maxFilterCharacters = 4_000
const maxDepth = 50

/**
 * Reads a filter such as `op_name = "answer" and (summary.weave.latency_ms > 500 or not exception = null)`. `and` binds closer than `or`.
 * @throws FilterProblem with the position of the error
 */
export function parseFilter(text: string): Filter {
  if (text.length > maxFilterCharacters)
    throw new FilterProblem(`a filter has at most ${maxFilterCharacters} characters, got ${text.length}`, maxFilterCharacters)
  const tokens = readTokens(text)
  let next = 0
  let depth = 0
  const end = text.length
  const isWord = (word: string) => tokens[next]?.kind === 'word' && tokens[next]?.text.toLowerCase() === word

  function take(kind: Token['kind'], expected: string): Token {
    const token = tokens[next]
    if (token?.kind !== kind)
      throw new FilterProblem(`${expected} is missing${token ? ` before ${token.text}` : ' at the end'}`, token?.at ?? end)
    next++
    return token
  }

  function joined(word: 'and' | 'or', read: () => Filter): Filter {
    const first = read()
    const parts = [first]
    while (isWord(word)) {
      next++
      parts.push(read())
    }
    if (parts.length === 1) return first
    return word === 'and' ? { and: parts } : { or: parts }
  }
  const either = (): Filter => joined('or', () => joined('and', single))

  function single(): Filter {
    if (++depth > maxDepth) throw new FilterProblem(`a filter is at most ${maxDepth} levels deep`, tokens[next]?.at ?? end)
    try {
      if (isWord('not')) {
        next++
        return { not: single() }
      }
      if (tokens[next]?.kind !== 'open') return { condition: condition() }
      next++
      const inner = either()
      take('close', 'a closing bracket')
      return inner
    } finally {
      depth--
    }
  }

  function condition(): Condition {
    const isQuoted = tokens[next]?.kind === 'text'
    const field = take(isQuoted ? 'text' : 'word', 'a field, such as inputs.question,')
    const path = isQuoted ? unquoted(field) : field.text
    const token = tokens[next]
    const operator = operators.find((known) => known === token?.text.toLowerCase())
    if (!operator) throw new FilterProblem(`a comparison (${operators.join(' ')}) is missing after ${path}`, token?.at ?? end)
    next++
    return { path, operator, value: value(operator) }
  }

  function value(operator: Condition['operator']): Condition['value'] {
    const token = tokens[next]
    if (token?.kind !== 'word' && token?.kind !== 'text')
      throw new FilterProblem(`a value (a number, true, false, null or "a text") is missing after ${operator}`, token?.at ?? end)
    next++
    return token.kind === 'word' ? readValue(token.text, operator) : unquoted(token)
  }

  const filter = either()
  const left = tokens[next]
  if (left) throw new FilterProblem(`and, or or the end is missing before ${left.text}`, left.at)
  return filter
}

/** @throws FilterProblem for a text without an end, or with an invalid escape */
function unquoted(token: Token): string {
  if (isUnfinished(token)) throw new FilterProblem('the text has no closing quotation mark', token.at)
  try {
    return JSON.parse(token.text) as string
  } catch {
    throw new FilterProblem('the text has an invalid escape: write \\" and \\\\ for " and \\', token.at)
  }
}

/** The filter as the API's query language has it. */
export function toFilterOperation(filter: Filter): QueryOperation {
  if ('condition' in filter) return toOperation(filter.condition)
  if ('not' in filter) return { $not: [toFilterOperation(filter.not)] }
  return 'and' in filter ? { $and: filter.and.map(toFilterOperation) } : { $or: filter.or.map(toFilterOperation) }
}

/** The conditions of a filter that only joins them by `and`; undefined for any other. */
export function conditionsOfFilter(filter: Filter): Condition[] | undefined {
  if ('condition' in filter) return [filter.condition]
  if (!('and' in filter)) return undefined
  const parts = filter.and.map(conditionsOfFilter)
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

/** A condition as it is typed. */
export const conditionText = ({ path, operator, value }: Condition) => `${pathText(path)} ${operator} ${valueText(value)}`

/** Conditions and a filter that must hold together, as they are typed. `''` for none. */
export function filterOfConditions(conditions: readonly Condition[], filter: string | undefined): string {
  if (conditions.length === 0) return filter ?? ''
  return [...conditions.map(conditionText), ...(filter === undefined ? [] : [`(${filter})`])].join(' and ')
}

/** A field that could be mistaken for another token is quoted. */
export const pathText = (path: string) => (/^[^\s()=!<>"]+$/u.test(path) && !/^(not|and|or)$/i.test(path) ? path : JSON.stringify(path))

/** Texts are quoted. */
export const valueText = (value: Condition['value']) => jsonOf(value)
