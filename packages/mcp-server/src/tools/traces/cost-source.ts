import { z } from 'zod'

/** Where a cost is from, in answers; absent where it is at the price of the model's own name. */
export const costSource = {
  priced_as: z.array(z.string()).optional(),
  reported_uses: z.number().nullish(),
}

/** `pricedAs`: names of the prices used for models without a price under their own name. `reportedUses`: uses whose cost is the reported one. */
export function toCostSource(total: { pricedAs: readonly string[]; reportedUses: number } | undefined): {
  priced_as?: string[]
  reported_uses?: number
} {
  const { pricedAs = [], reportedUses = 0 } = total ?? {}
  return { ...(pricedAs.length > 0 && { priced_as: [...pricedAs] }), ...(reportedUses > 0 && { reported_uses: reportedUses }) }
}
