import type { SpecialUsage } from '../../../query/results/summary-query.ts'
import { boundsOf, detailPriceNames } from '../../../records/costs/price-tiers.ts'
import type { PricesByModel } from '../../../records/costs/price-usage.ts'

/** Parts of the names of separately priced counts, in the order of `detailPriceNames`. */
const marks: Readonly<Record<(typeof detailPriceNames)[number], readonly string[]>> = {
  cache_read_input_audio_token_cost: ['audio', 'AUDIO'],
  cache_read_input_image_token_cost: ['image', 'IMAGE'],
  cache_creation_1h_input_token_cost: ['_1h_'],
  input_audio_token_cost: ['audio', 'AUDIO'],
  input_image_token_cost: ['image', 'IMAGE'],
  output_audio_token_cost: ['audio', 'AUDIO'],
  output_image_token_cost: ['image', 'IMAGE'],
  reasoning_token_cost: ['reasoning', 'thoughts'],
}

/** Which usage may cost something else than sums of the tokens that every price is for. Null where none can. */
export function specialUsage(prices: PricesByModel): SpecialUsage | null {
  const tiered = [...prices].filter(([, rows]) => rows.some(({ details }) => details !== null))
  if (tiered.length === 0) return null
  const rows = tiered.flatMap(([, ofModel]) => ofModel)
  const stated = detailPriceNames.filter((name) =>
    rows.some(({ details }) => details?.[name] !== undefined || details?.tiers.some((tier) => tier[name] !== undefined)),
  )
  return {
    models: tiered.map(([model]) => model),
    above: boundsOf(rows)[0] ?? null,
    hasTiers: rows.some(({ details }) => details?.tiers.some(({ service_tier }) => service_tier !== '')),
    marks: [...new Set(stated.flatMap((name) => marks[name]))],
  }
}
