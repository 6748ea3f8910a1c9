import type { Condition } from '../../filter/call-condition.ts'
import { selectionOf } from '../calls-queries.ts'
import type { CallsSearch } from '../calls-search.ts'

/** The selection of a page's calls apart from its filter, as conditions. */
export function conditionsOf(search: CallsSearch): Condition[] {
  const { filter, conditions } = selectionOf(search)
  if ((conditions.length === 0 && search.filter === undefined && search.text === undefined) || !filter.trace_roots_only) return conditions
  return [...conditions, { path: 'parent_id', operator: '=', value: null }]
}
