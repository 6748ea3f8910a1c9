import { listFilters } from './list-filters.ts'
import type { Filter, FilterCalls } from './filter.ts'
import { bindArguments } from './filter-arguments.ts'
import { numberFilters } from './number-filters.ts'
import { textFilters } from './text-filters.ts'
import type { CallArguments, Value } from '../python/values.ts'

const filters: ReadonlyMap<string, Filter> = new Map(Object.entries({ ...textFilters, ...numberFilters, ...listFilters }))

/** Whether Jinja has such a filter. */
export const isFilter = (name: string) => filters.has(name)

/** @throws TypeError for a filter that is not known, or a value that it does not take */
export function applyFilter(name: string, value: Value, given: CallArguments, calls: FilterCalls): Value {
  const filter = filters.get(name)
  if (filter === undefined) throw new TypeError(`No filter named '${name}'.`)
  const args = filter.parameters === null ? {} : bindArguments(name, filter.parameters, given)
  return filter.apply(value, args, { calls, given })
}
