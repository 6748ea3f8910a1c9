import type { Condition } from './call-condition.ts'
import { type Filter, parseFilter } from './parse-filter.ts'

/** Fields of calls by the words for them. Their paths may be written, too. */
const paths = new Map([
  ['name', 'op_name'],
  ['status', 'summary.weave.status'],
  ['latency', 'summary.weave.latency_ms'],
  ['started', 'started_at'],
  ['thread', 'thread_id'],
  ['user', 'wb_user_id'],
  ['error', 'exception'],
])
const words = new Map([...paths].map(([word, path]) => [path, word]))
const usage = 'summary.usage.'

/** What calls are filtered by, for suggestions. */
export const callFields = [...paths.keys(), 'model']

/** Reads a filter of calls, which may name fields by words: `model = "gpt-4o" and latency > 500`. @throws FilterProblem with the position of the error */
export const parseCallsFilter = (text: string): Filter => withPaths(parseFilter(text))

function withPaths(filter: Filter): Filter {
  if ('condition' in filter) return { condition: withPath(filter.condition) }
  if ('not' in filter) return { not: withPaths(filter.not) }
  return 'and' in filter ? { and: filter.and.map(withPaths) } : { or: filter.or.map(withPaths) }
}

function withPath(condition: Condition): Condition {
  const { path, operator, value } = condition
  if (path === 'model' && typeof value === 'string' && (operator === '=' || operator === '!='))
    return { ...usedModel(value), operator: operator === '=' ? '!=' : '=' }
  return { path: paths.get(path) ?? path, operator, value: path === 'status' && value === 'failed' ? 'error' : value }
}

/** The calls that used a model. A dot separates the parts of a path, so one in its name is escaped. Where there is nothing, the text is empty. */
export const usedModel = (model: string): Condition => ({
  path: `${usage}${model.replaceAll('.', String.raw`\.`)}`,
  operator: '!=',
  value: '',
})

/** Whether a condition is on the model of a call, which only spans have. */
export const isOfModel = ({ path, value }: Condition) => path.startsWith(usage) && value === ''

/** A condition in words, where there are some for its field. */
export function inWords(condition: Condition): Condition {
  const { path, operator } = condition
  if (isOfModel(condition) && (operator === '=' || operator === '!='))
    return { path: 'model', operator: operator === '=' ? '!=' : '=', value: path.slice(usage.length).replaceAll(String.raw`\.`, '.') }
  return { ...condition, path: words.get(path) ?? path }
}

/** The path whose values are suggested for a field. */
export const pathOfField = (field: string) => (field === 'model' ? usage.slice(0, -1) : (paths.get(field) ?? field))
