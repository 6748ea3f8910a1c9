import type { PriceTier } from '@heddle/core-api/types'

/** Prices of a form by their names on the wire, as texts for a million tokens; empty ones are not stated. */
export type PriceTexts = Readonly<Record<string, string>>

/** Prices of every form, and rarely stated ones, with their meaning. */
export const mainPrices = [
  ['prompt_token_cost', 'prompt tokens'],
  ['completion_token_cost', 'completion tokens'],
] as const
export const furtherPrices = [
  ['cache_read_input_token_cost', 'prompt tokens from a cache'],
  ['cache_read_input_audio_token_cost', 'audio tokens from a cache'],
  ['cache_read_input_image_token_cost', 'image tokens from a cache'],
  ['cache_creation_input_token_cost', 'prompt tokens written to a cache'],
  ['cache_creation_1h_input_token_cost', 'prompt tokens written to a cache for an hour'],
  ['input_audio_token_cost', 'audio tokens in prompts'],
  ['input_image_token_cost', 'image tokens in prompts'],
  ['output_audio_token_cost', 'audio tokens in completions'],
  ['output_image_token_cost', 'image tokens in completions'],
  ['reasoning_token_cost', 'reasoning tokens'],
] as const

export type PriceName = (typeof mainPrices)[number][0] | (typeof furtherPrices)[number][0]
const names: readonly PriceName[] = [...mainPrices, ...furtherPrices].map(([name]) => name)

/** A tier in a form. */
export interface TierTexts {
  /** Distinguishes the tiers of a form. */
  key: number
  serviceTier: string
  above: string
  prices: PriceTexts
}

export const isPrice = (text: string) => text.trim() !== '' && Number.isFinite(Number(text)) && Number(text) >= 0

/** Whether all prices that are stated are some. */
export const arePrices = (texts: PriceTexts) => names.every((name) => (texts[name] ?? '').trim() === '' || isPrice(texts[name]!))

/** Whether a tier has a condition on its requests, and a price for them. */
export function isTier({ serviceTier, above, prices }: TierTexts): boolean {
  const isBound = above.trim() === '' || /^\d{1,12}$/.test(above.trim())
  return isBound && (serviceTier.trim() !== '' || Number(above) > 0) && arePrices(prices) && Object.keys(toPrices(prices)).length > 0
}

/** The stated prices of one token. */
export function toPrices(texts: PriceTexts): Partial<Record<PriceName, number>> {
  const stated = names.filter((name) => (texts[name] ?? '').trim() !== '')
  // Decimal digits are kept: 0.1 of a million is 1e-7, not 9.999999999999999e-8.
  return Object.fromEntries(stated.map((name) => [name, Number((Number(texts[name]) / 1e6).toPrecision(15))]))
}

export function toTier({ serviceTier, above, prices }: TierTexts): Partial<PriceTier> {
  return {
    service_tier: serviceTier.trim() || null,
    above_input_tokens: above.trim() === '' ? null : Number(above),
    ...toPrices(prices),
  }
}

/** For which requests a tier of a price holds, in words. */
export function tierText({ service_tier, above_input_tokens: above }: { service_tier: string | null; above_input_tokens: number }): string {
  const size = above === 0 ? [] : [`prompts above ${above.toLocaleString('en')} tokens`]
  return [...(service_tier === null ? [] : [service_tier]), ...size].join(', ') || 'all'
}
