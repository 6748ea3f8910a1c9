import type { EvalResultsSort } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import type { FieldValues } from '../rows/field-values.ts'
import type { SortKey } from '../rows/sort-rows.ts'
import { nameOfField, parseResultField, type ResultField } from '../../../query/fields/result-field.ts'

/** The order that a query asks for. */
export interface SortPlan {
  fields: readonly ResultField[]
  /** The keys, once the values of the fields are known by name. */
  toKeys(values: ReadonlyMap<string, FieldValues>): SortKey[]
}

/**
 * Reads the order of a query over the requested evaluations. With one evaluation a difference is a value.
 * @throws 400 for a field that results do not have, and for the difference of anything but scores.
 */
export function planSort(sortBy: readonly EvalResultsSort[], evaluations: readonly string[]): SortPlan {
  const planned = sortBy.map((sort) => ({ sort, field: parseSortField(sort) }))
  return {
    fields: planned.map(({ field }) => field),
    toKeys: (values) =>
      planned.map(({ sort, field }) => ({
        values: values.get(nameOfField(field))!,
        descending: sort.direction === 'desc',
        scope: scopeOf(sort.evaluation_call_id, evaluations),
        kind: kindOf(sort, field, evaluations.length),
        evaluations: evaluations.length,
      })),
  }
}

/** Place of an evaluation in the request: null for none, -1 for one that was not requested. */
export function scopeOf(evaluation: string | null, evaluations: readonly string[]): number | null {
  return evaluation === null ? null : evaluations.indexOf(evaluation)
}

function parseSortField({ field: path, mode }: EvalResultsSort): ResultField {
  const field = parseResultField(path, 'sort')
  if (mode === 'difference' && field.root !== 'scores')
    throw badRequest(`mode='difference' only supports numeric fields (scores.*), got '${path.slice(0, 200)}'.`)
  return field
}

function kindOf({ mode }: EvalResultsSort, field: ResultField, evaluations: number): SortKey['kind'] {
  if (field.root !== 'scores') return 'first'
  return mode === 'difference' && evaluations > 1 ? 'spread' : 'mean'
}
