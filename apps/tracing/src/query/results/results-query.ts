import type { EvalResultsFilter, EvalResultsSort } from '@heddle/core-api/types'
import { badRequest } from '@heddle/core-api/internal'
import { bind, join, sql, type Sql } from '@heddle/datastore'
import { compileExpression } from '../compile/compile-expression.ts'
import type { ValueOperand } from '../compile/operands/operand.ts'
import { parseResultField } from '../fields/result-field.ts'
import { readWordsPath, withWords } from './read-words.ts'
import { createResultFields, numberIn, type ResultFields, type Scope } from './result-fields.ts'
import type { RowStarts, TrialsIn } from './trials-in.ts'

/** Which rows of some evaluations, in which order. */
export interface ResultsQuery {
  sort_by: readonly EvalResultsSort[]
  filters: readonly EvalResultsFilter[]
  /** `or`: all filters of one evaluation must hold; otherwise all of them. */
  filter_logic_operator: 'and' | 'or' | null
}

/** Row of the answer to `page`. */
export interface PageRow extends RowStarts {
  /** How many rows match. */
  total: number
}

export interface RowsPage {
  /** Null: to the end. */
  limit: number | null
  offset: number
}

/** A query of results, as statements. `isWhole`: only rows that all evaluations have. */
export interface CompiledResultsQuery {
  page(isWhole: boolean, page: RowsPage): Sql
  /** One row `{ total }`. */
  count(isWhole: boolean): Sql
  /** The digests of all rows that match; undefined where all of the evaluations do. */
  digests(isWhole: boolean): Sql | undefined
}

/**
 * Compiles a query of results over the trials of its evaluations. Rows are grouped, filtered and ordered by the engine.
 * @throws 400 for a field that results do not have, for the difference of anything but scores, and as queries of calls do; 422 for a negative list index
 */
export function compileResultsQuery(trials: TrialsIn, { sort_by, filters, filter_logic_operator }: ResultsQuery): CompiledResultsQuery {
  const fields = createResultFields(trials)
  const order = compileOrder(sort_by, { fields, evaluations: trials.evaluations })
  const condition = compileFilters(filters, { fields, logic: filter_logic_operator, evaluations: trials.evaluations })

  const rowsWhere = (isWhole: boolean) => {
    const conditions = [
      ...(condition === undefined ? [] : [condition]),
      ...(isWhole ? [sql`evaluations = ${bind('UInt64', trials.evaluations.length)}`] : []),
    ]
    return sql`FROM (${fields.rows()})${conditions.length === 0 ? sql`` : sql` WHERE ${join(conditions, sql` AND `)}`}`
  }
  return {
    page(isWhole, { limit, offset }) {
      const bounds = sql`LIMIT ${bind('UInt64', limit ?? Number.MAX_SAFE_INTEGER)} OFFSET ${bind('UInt64', offset)}`
      return sql`SELECT row_digest, starts, bytes, toFloat64(count() OVER ()) AS total ${rowsWhere(isWhole)} ORDER BY ${order} ${bounds}`
    },
    count: (isWhole) => sql`SELECT toFloat64(count()) AS total ${rowsWhere(isWhole)}`,
    digests: (isWhole) => (condition === undefined && !isWhole ? undefined : sql`SELECT row_digest ${rowsWhere(isWhole)}`),
  }
}

interface Among {
  fields: ResultFields
  evaluations: readonly string[]
}

/** Index of an evaluation in the request: null for none, -1 for one that was not requested. */
function scopeOf(evaluation: string | null, evaluations: readonly string[]): Scope {
  return evaluation === null ? null : evaluations.indexOf(evaluation)
}

/** Numbers before texts before nothing, in both directions; equal rows by their digest. */
function compileOrder(sortBy: readonly EvalResultsSort[], among: Among): Sql {
  const keys = sortBy.flatMap((sort) => {
    const { number, text } = orderedBy(sort, among)
    const direction = sort.direction === 'desc' ? sql` DESC` : sql``
    const byNumber = [sql`isNull(${number})`, sql`ifNull(${number}, 0)${direction}`]
    return text === undefined ? byNumber : [...byNumber, sql`${text} = ''`, sql`${text}${direction}`]
  })
  return join([...keys, sql`row_digest`], sql`, `)
}

function orderedBy(
  { field: path, mode, evaluation_call_id }: EvalResultsSort,
  { fields, evaluations }: Among,
): { number: Sql; text?: Sql } {
  const field = parseResultField(path, 'sort')
  if (mode === 'difference' && field.root !== 'scores')
    throw badRequest(`mode='difference' only supports numeric fields (scores.*), got '${path.slice(0, 200)}'.`)
  const scope = scopeOf(evaluation_call_id, evaluations)
  if (field.root === 'row_digest') return { number: numberIn(sql`row_digest`), text: sql`row_digest` }
  if (field.root !== 'scores') {
    const text = fields.first(field, scope)
    return { number: numberIn(text), text }
  }
  return { number: mode === 'difference' && evaluations.length > 1 ? fields.spread(field) : fields.mean(field, scope) }
}

function compileFilters(
  filters: readonly EvalResultsFilter[],
  { logic, ...among }: Among & { logic: ResultsQuery['filter_logic_operator'] },
): Sql | undefined {
  const groups = new Map<string | null, Sql[]>()
  for (const { query, evaluation_call_id } of filters) {
    const scope = scopeOf(evaluation_call_id, among.evaluations)
    // The query as it was written is checked first.
    compileExpression(query, (path) => readField(path, false, { ...among, scope }))
    const condition = compileExpression(withWords(query), (marked) => {
      const { path, isInWords } = readWordsPath(marked)
      return readField(path, isInWords, { ...among, scope })
    })
    const group = logic === 'or' ? evaluation_call_id : null
    groups.set(group, [...(groups.get(group) ?? []), condition])
  }
  if (groups.size === 0) return undefined
  const all = [...groups.values()].map((conditions) => sql`(${join(conditions, sql` AND `)})`)
  return sql`(${join(all, sql` OR `)})`
}

/** A field of a row: text that takes the type of a literal it is compared with, and is empty if there is no value. */
function readField(path: string, isInWords: boolean, { fields, scope }: Among & { scope: Scope }): ValueOperand {
  const field = parseResultField(path, 'eval results')
  const value =
    field.root === 'row_digest' ? sql`row_digest` : fields.first(field, scope, isInWords && field.root === 'scores' ? 'word' : 'number')
  return {
    kind: 'value',
    type: 'text',
    sql: value,
    present: sql`(${value} != '')`,
    isField: true,
    takesTypeOfLiteral: true,
    order: 'dynamic',
  }
}
