import { z } from 'zod'

/** No longer line of a request is read. */
const maxLineLength = 16_384

/**
 * A list in a query: the parameter given several times, or its entries in one value with commas between them. Empty entries are dropped.
 * An entry holds no comma. The operation itself refuses more than `max`.
 */
export function commaListOf(max: number) {
  return z
    .array(z.string().max(maxLineLength))
    .transform((texts) => texts.flatMap((text) => text.split(',')).filter((entry) => entry !== ''))
    .meta({ maxItems: max })
}
