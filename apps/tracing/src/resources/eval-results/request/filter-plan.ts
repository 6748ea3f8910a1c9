import type { EvalResultsFilter } from '@heddle/core-api'
import { compileFilter } from '../filter/compile-filter.ts'
import type { FieldValues } from '../rows/field-values.ts'
import type { ResultRow } from '../rows/group-rows.ts'
import { nameOfField, type ResultField } from '../../../query/fields/result-field.ts'
import { scopeOf } from './sort-plan.ts'

type RowTest = (row: ResultRow) => boolean

/** The conditions of a query on rows. */
export interface FilterPlan {
  fields: readonly ResultField[]
  /** The whole condition, once the values of the fields are known by name. */
  toCondition(values: ReadonlyMap<string, FieldValues>): RowTest
}

/**
 * Reads the filters of a query over the requested evaluations. `or`: all filters of one evaluation must hold; otherwise all of them.
 * @throws 400 and 422 as `compileFilter` does.
 */
export function planFilter(
  filters: readonly EvalResultsFilter[],
  { logic, evaluations }: { logic: 'and' | 'or' | null; evaluations: readonly string[] },
): FilterPlan {
  const compiled = filters.map(({ query, evaluation_call_id }) => ({ evaluation_call_id, filter: compileFilter(query) }))
  return {
    fields: compiled.flatMap(({ filter }) => filter.fields),
    toCondition(values) {
      const groups = new Map<string | null, RowTest[]>()
      for (const { filter, evaluation_call_id } of compiled) {
        const scope = scopeOf(evaluation_call_id, evaluations)
        const read = filter.fields.map((field) => values.get(nameOfField(field))!)
        const test: RowTest = (row) => filter.matches(read.map((field) => field.firstIn(row, scope)))
        const group = logic === 'or' ? evaluation_call_id : null
        groups.set(group, [...(groups.get(group) ?? []), test])
      }
      const all = [...groups.values()]
      return (row) => all.length === 0 || all.some((group) => group.every((test) => test(row)))
    },
  }
}
