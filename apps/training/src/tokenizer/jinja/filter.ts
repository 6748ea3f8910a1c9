import type { NamedArguments } from './filter-arguments.ts'
import type { CallArguments, Value } from '../python/values.ts'

/** Calls filters and tests by their names, for filters that apply others. */
export interface FilterCalls {
  filter(name: string, value: Value, given: CallArguments): Value
  test(name: string, value: Value, given: CallArguments): boolean
}

export interface Filter {
  /** Names of its parameters in their order; null: it takes any. */
  parameters: readonly string[] | null
  apply(value: Value, args: NamedArguments, context: FilterContext): Value
}

export interface FilterContext {
  calls: FilterCalls
  /** As they were given, for filters that take any. */
  given: CallArguments
}
