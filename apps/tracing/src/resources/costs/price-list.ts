import { orDefault, Timestamp } from '@heddle/core-api/internal'
import { z } from 'zod'
import type { CostRow } from './cost-row.ts'

const price = z.number().min(0)

const Price = z.strictObject({
  provider_id: z.string().min(1),
  /** Names under which calls count these tokens. */
  models: z.array(z.string().min(1)).min(1),
  /** From when on the price is known to hold. */
  effective_date: Timestamp,
  prompt_token_cost: price,
  completion_token_cost: price,
  cache_read_input_token_cost: orDefault(price, 0),
  cache_creation_input_token_cost: orDefault(price, 0),
})

const PriceList = z.strictObject({
  about: z.string(),
  /** Where the figures are from, and the day on which they were looked up. */
  sources: z.array(z.strictObject({ kind: z.string(), name: z.string(), date: z.iso.date() })).min(1),
  /** Day of the list. */
  date: Timestamp,
  /** Unit of all prices. Prices are of one token. */
  currency: z.string().min(1),
  prices: z.array(Price),
})

/**
 * Reads a list of prices as it stands in a file, parsed from JSON, into rows of level `default`.
 * @throws Error that says where the list is wrong.
 */
export function readPriceList(list: unknown): CostRow[] {
  const { success, data, error } = PriceList.safeParse(list)
  if (!success) throw new Error(error.issues.slice(0, maxFaults).map(describe).join('; '))
  return data.prices.flatMap(({ models, ...price }) =>
    models.map((llm_id) => ({
      ...price,
      id: `default:${llm_id}:${price.effective_date}`,
      pricing_level: 'default' as const,
      pricing_level_id: 'default',
      llm_id,
      prompt_token_cost_unit: data.currency,
      completion_token_cost_unit: data.currency,
      created_by: 'system',
      created_at: data.date,
    })),
  )
}

const maxFaults = 5

function describe({ path, message }: { path: PropertyKey[]; message: string }): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return `${place === '' ? 'the list' : place.replace(/^\./, '')}: ${message}`
}
