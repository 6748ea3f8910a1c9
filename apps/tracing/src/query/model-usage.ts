import { bind, sql, type Sql } from '@heddle/datastore'

/** Sums of the usage of one model. */
export interface ModelUsage {
  model: string
  /** Entries of usage that were summed up. */
  uses: number
  prompt_tokens: number
  completion_tokens: number
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
}

/** A sum as the engine returns it, in the order of the fields of `ModelUsage`. */
export type ModelUsageRow = [string, number, number, number, number, number]

/** An aggregate of the usage of calls for which the condition holds, a row per model, as `ModelUsageRow[]`. */
export function modelUsage(condition: Sql): Sql {
  return sql`arrayMap(sums -> arrayZip(sums.1, sums.2, sums.3, sums.4, sums.5, sums.6), [sumMapIf(usage.model, arrayMap(model -> toFloat64(1), usage.model),
    ${floats('input_tokens')}, ${floats('output_tokens')}, ${floats('cache_read_input_tokens')}, ${floats('cache_creation_input_tokens')}, ${condition})])[1]`
}

export function toModelUsage([model, uses, input, output, cacheRead, cacheCreation]: ModelUsageRow): ModelUsage {
  return {
    model,
    uses,
    prompt_tokens: input,
    completion_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheCreation,
  }
}

const floats = (column: string) => sql`arrayMap(tokens -> toFloat64(tokens), usage.${bind('Identifier', column)})`
