import type { Configuration } from '../settings/configuration.ts'
import { readPrices } from '../settings/prices-file.ts'
import { failure, type Finding, ok } from './finding.ts'
import { messageOf } from '../terminal/message-of.ts'

/** Reads the file of prices as a start of the server would. */
export async function checkPrices({ pricesFile }: Pick<Configuration, 'pricesFile'>): Promise<Finding> {
  try {
    const prices = await readPrices({ pricesFile })
    return ok('Prices', prices === undefined ? 'built-in' : `${prices.length} from ${pricesFile}`)
  } catch (error) {
    const detail = messageOf(error)
    return failure('Prices', detail, 'fix the file, or unset HEDDLE_PRICES_FILE')
  }
}
