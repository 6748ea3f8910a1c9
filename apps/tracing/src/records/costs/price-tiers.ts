import type { TokenRates } from '@heddle/trace-model'

/** Prices of one token of each kind, in their units. */
export interface TokenPrices {
  prompt_token_cost: number
  completion_token_cost: number
  cache_read_input_token_cost: number
  cache_creation_input_token_cost: number
}

/** Prices of tokens that most models do not price separately; absent: the price of the kind that they are a part of. */
export interface DetailPrices {
  cache_read_input_audio_token_cost?: number | undefined
  cache_read_input_image_token_cost?: number | undefined
  cache_creation_1h_input_token_cost?: number | undefined
  input_audio_token_cost?: number | undefined
  input_image_token_cost?: number | undefined
  output_audio_token_cost?: number | undefined
  output_image_token_cost?: number | undefined
  reasoning_token_cost?: number | undefined
}

export const detailPriceNames = [
  'cache_read_input_audio_token_cost',
  'cache_read_input_image_token_cost',
  'cache_creation_1h_input_token_cost',
  'input_audio_token_cost',
  'input_image_token_cost',
  'output_audio_token_cost',
  'output_image_token_cost',
  'reasoning_token_cost',
] as const satisfies readonly (keyof DetailPrices)[]

/** Other prices for some requests. Omitted prices are those of the price itself. */
export interface PriceTier extends Partial<TokenPrices>, DetailPrices {
  /** As `toServiceTier` has it; `''` for the plain service. */
  service_tier: string
  /** Holds for requests whose prompt is larger than this; 0 for all. */
  above_input_tokens: number
}

/** The details of a price beyond the prices that every price has. */
export interface PriceDetails extends DetailPrices {
  tiers: readonly PriceTier[]
}

export type TieredPrices = TokenPrices & { details: PriceDetails | null }

/** What decides which tier of a price holds for some usage. */
export interface TierOf {
  /** Absent and `''`: the plain service. */
  serviceTier?: string | undefined
  /** Size of the prompt of the one request; absent and 0: that of several requests, or not known. */
  requestTokens?: number | undefined
}

/**
 * The tier of a price that holds for a request: of its service tier, and where that has none, of the plain service, the one with the highest bound that the
 * prompt exceeds. Undefined where the price itself holds. Usage that is not of one request exceeds no bound.
 */
export function pickTier(
  { details }: Pick<TieredPrices, 'details'>,
  { serviceTier = '', requestTokens = 0 }: TierOf,
): PriceTier | undefined {
  if (details === null || details.tiers.length === 0) return undefined
  const highest = (wanted: string) =>
    details.tiers
      .filter(({ service_tier, above_input_tokens: above }) => service_tier === wanted && (above === 0 || requestTokens > above))
      .reduce<PriceTier | undefined>((best, tier) => (best && best.above_input_tokens >= tier.above_input_tokens ? best : tier), undefined)
  return (serviceTier === '' ? undefined : highest(serviceTier)) ?? highest('')
}

/** Rates per token of each kind in a price, or in one of its tiers. */
export function toRates(price: TieredPrices, tier: PriceTier | undefined): TokenRates {
  const details = price.details ?? noDetails
  const input = tier?.prompt_token_cost ?? price.prompt_token_cost
  const output = tier?.completion_token_cost ?? price.completion_token_cost
  const cacheRead = tier?.cache_read_input_token_cost ?? price.cache_read_input_token_cost
  const cacheWrite = tier?.cache_creation_input_token_cost ?? price.cache_creation_input_token_cost
  const detail = (name: keyof DetailPrices, whole: number) => tier?.[name] ?? details[name] ?? whole
  return {
    input,
    output,
    cacheRead,
    cacheReadAudio: detail('cache_read_input_audio_token_cost', cacheRead),
    cacheReadImage: detail('cache_read_input_image_token_cost', cacheRead),
    cacheWrite,
    cacheWrite1h: detail('cache_creation_1h_input_token_cost', cacheWrite),
    inputAudio: detail('input_audio_token_cost', input),
    inputImage: detail('input_image_token_cost', input),
    outputAudio: detail('output_audio_token_cost', output),
    outputImage: detail('output_image_token_cost', output),
    reasoning: detail('reasoning_token_cost', output),
  }
}

const noDetails: PriceDetails = { tiers: [] }

/** Sizes of prompts at which some prices change, ascending. */
export function boundsOf(prices: readonly Pick<TieredPrices, 'details'>[]): number[] {
  const bounds = prices.flatMap(({ details }) => (details?.tiers ?? []).map(({ above_input_tokens }) => above_input_tokens))
  return [...new Set(bounds)].filter((bound) => bound > 0).sort((one, other) => one - other)
}

/** Whether some prices differ between a service tier and the plain service. */
export function hasServiceTier(prices: readonly Pick<TieredPrices, 'details'>[], serviceTier: string): boolean {
  return serviceTier !== '' && prices.some(({ details }) => details?.tiers.some(({ service_tier }) => service_tier === serviceTier))
}
