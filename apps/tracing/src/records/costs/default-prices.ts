import type { CostRow } from './cost-row.ts'
import { readPriceList } from './price-list.ts'

/** The prices shipped with the server, from a module that is loaded by the first call. */
export async function readDefaultPrices(): Promise<CostRow[]> {
  const { default: list } = await import('./default-prices.json', { with: { type: 'json' } })
  return readPriceList(list)
}
