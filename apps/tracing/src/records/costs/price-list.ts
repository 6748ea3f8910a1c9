import { maxTiers } from '@heddle/core-api/internal'
import { orDefault, Timestamp } from '@heddle/core-api/internal'
import { z } from 'zod'
import { type CostRow, toDetails } from './cost-row.ts'

const price = z.number().min(0)

/** Prices that apply to some tokens only; absent: the price of the kind that they are a part of. */
const detailPrices = {
  cache_read_input_audio_token_cost: price.optional(),
  cache_read_input_image_token_cost: price.optional(),
  cache_creation_1h_input_token_cost: price.optional(),
  input_audio_token_cost: price.optional(),
  input_image_token_cost: price.optional(),
  output_audio_token_cost: price.optional(),
  output_image_token_cost: price.optional(),
  reasoning_token_cost: price.optional(),
}

/** Other prices for some requests. Omitted prices are those of the price itself. */
const Tier = z.strictObject({
  /** `flex`, `priority`, `batch` …; absent: the plain service. */
  service_tier: z.string().min(1).optional(),
  /** For requests whose prompt is larger; absent: all. */
  above_input_tokens: z.int().positive().optional(),
  prompt_token_cost: price.optional(),
  completion_token_cost: price.optional(),
  cache_read_input_token_cost: price.optional(),
  cache_creation_input_token_cost: price.optional(),
  ...detailPrices,
})

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
  ...detailPrices,
  tiers: z.array(Tier).max(maxTiers).optional(),
})

const PriceList = z.strictObject({
  about: z.string(),
  /** Sources of the prices, and the day on which they were looked up. */
  sources: z.array(z.strictObject({ kind: z.string(), name: z.string(), date: z.iso.date() })).min(1),
  /** Day of the list. */
  date: Timestamp,
  /** Unit of all prices. Prices are of one token. */
  currency: z.string().min(1),
  prices: z.array(Price),
})

/**
 * Reads a list of prices from a file, parsed from JSON, into rows of level `default`.
 * @throws Error with the location of the problem in the list.
 */
export function readPriceList(list: unknown): CostRow[] {
  const { success, data, error } = PriceList.safeParse(list)
  if (!success) throw new Error(error.issues.slice(0, maxFaults).map(describe).join('; '))
  return data.prices.flatMap(({ models, ...price }) =>
    models.map((llm_id) => ({
      provider_id: price.provider_id,
      effective_date: price.effective_date,
      prompt_token_cost: price.prompt_token_cost,
      completion_token_cost: price.completion_token_cost,
      cache_read_input_token_cost: price.cache_read_input_token_cost,
      cache_creation_input_token_cost: price.cache_creation_input_token_cost,
      id: `default:${llm_id}:${price.effective_date}`,
      pricing_level: 'default' as const,
      pricing_level_id: 'default',
      llm_id,
      prompt_token_cost_unit: data.currency,
      completion_token_cost_unit: data.currency,
      created_by: 'system',
      created_at: data.date,
      details: toDetails(llm_id, price),
    })),
  )
}

const maxFaults = 5

function describe({ path, message }: { path: PropertyKey[]; message: string }): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return `${place === '' ? 'the list' : place.replace(/^\./, '')}: ${message}`
}
