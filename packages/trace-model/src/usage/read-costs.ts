import { memberOf } from '@heddle/core-api/internal'
import type { TokenRates } from './price-counts.ts'
import { readUsage } from './read-usage.ts'
import { isPriceable } from './token-counts.ts'

/** The cost of one model in a call. */
export interface ModelCost {
  cost: number
  /** The prices per token behind the cost; null if the call reported the cost itself, and if the server did not send them. */
  rates: TokenRates | null
  /** The tier of service whose price it is; null for the plain one. */
  serviceTier: string | null
  /** The prices are those of requests with a prompt above this size; null where the size made no difference. */
  aboveTokens: number | null
  /** The name whose price it is, where that is not the name of the model; null otherwise. */
  pricedAs: string | null
  /** The model has no price: the cost is the one that the call reports. */
  isReported: boolean
}

const costNames = [
  'prompt_tokens_total_cost',
  'completion_tokens_total_cost',
  'cache_read_input_tokens_total_cost',
  'cache_creation_input_tokens_total_cost',
]

/** The names on the wire of the rates of one token. */
export const rateNames = {
  input: 'prompt',
  output: 'completion',
  cacheRead: 'cache_read_input',
  cacheReadAudio: 'cache_read_input_audio',
  cacheReadImage: 'cache_read_input_image',
  cacheWrite: 'cache_creation_input',
  cacheWrite1h: 'cache_creation_1h_input',
  inputAudio: 'input_audio',
  inputImage: 'input_image',
  outputAudio: 'output_audio',
  outputImage: 'output_image',
  reasoning: 'reasoning',
} as const satisfies Record<keyof TokenRates, string>

/** Prices that are given only if they differ from the price of the tokens that they are a part of. */
export const rateOfWhole = {
  cacheReadAudio: 'cacheRead',
  cacheReadImage: 'cacheRead',
  cacheWrite1h: 'cacheWrite',
  inputAudio: 'input',
  inputImage: 'input',
  outputAudio: 'output',
  outputImage: 'output',
  reasoning: 'output',
} as const satisfies Partial<Record<keyof TokenRates, keyof TokenRates>>

function readRates(details: unknown): TokenRates | null {
  const prices = memberOf(details, 'token_prices')
  const told = (rate: keyof TokenRates) => memberOf(prices, rateNames[rate])
  const rates = (Object.keys(rateNames) as (keyof TokenRates)[]).map((rate) => {
    const whole = Object.hasOwn(rateOfWhole, rate) ? rateOfWhole[rate as keyof typeof rateOfWhole] : rate
    return [rate, told(rate) ?? told(whole)]
  })
  return rates.every(([, price]) => typeof price === 'number') ? (Object.fromEntries(rates) as TokenRates) : null
}

/**
 * The cost of a model in the summary of a call that was read with its costs: `weave.cost_details`, or from servers without it the parts in
 * `weave.costs`, which have 0 for a total without parts. Undefined if the cost is unknown.
 */
export function readCost(summary: unknown, model: string): ModelCost | undefined {
  const weave = memberOf(summary, 'weave')
  const details = memberOf(memberOf(weave, 'cost_details'), model)
  const priced = memberOf(details, 'cost')
  const pricedAs = memberOf(details, 'priced_as')
  const [serviceTier, above] = [memberOf(details, 'service_tier'), memberOf(details, 'above_input_tokens')]
  if (typeof priced === 'number')
    return {
      cost: priced,
      rates: readRates(details),
      serviceTier: typeof serviceTier === 'string' ? serviceTier : null,
      aboveTokens: typeof above === 'number' ? above : null,
      pricedAs: typeof pricedAs === 'string' && pricedAs !== model ? pricedAs : null,
      isReported: memberOf(details, 'source') === 'reported',
    }
  const costs = memberOf(memberOf(weave, 'costs'), model)
  const parts = costNames.map((name) => memberOf(costs, name)).filter((part) => typeof part === 'number')
  if (parts.length === 0) return undefined
  const cost = parts.reduce((sum, part) => sum + part, 0)
  const counts = readUsage(summary).find((used) => used.model === model)?.counts
  if (cost === 0 && counts !== undefined && !isPriceable(counts)) return undefined
  const none = { rates: null, serviceTier: null, aboveTokens: null, pricedAs: null, isReported: false }
  return { cost, ...none }
}
