import { sql, type Sql } from '@heddle/datastore'

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

/** An aggregate over rows of usage that counts, a row per model, as `ModelUsageRow[]`. */
export const modelUsage: Sql = sql`arrayMap(sums -> arrayZip(sums.1, sums.2, sums.3, sums.4, sums.5, sums.6), [sumMap([toString(model)], [toFloat64(1)],
    [toFloat64(input_tokens)], [toFloat64(output_tokens)], [toFloat64(cache_read_tokens)], [toFloat64(cache_write_tokens)])])[1]`

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
