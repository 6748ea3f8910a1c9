import list from './default-prices.json' with { type: 'json' }
import { readPriceList } from './price-list.ts'

/** The prices shipped with the server. */
export const defaultPrices = readPriceList(list)
