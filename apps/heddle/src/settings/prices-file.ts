import { readFile } from 'node:fs/promises'
import { type CostRow, readPriceList } from '@heddle/tracing'
import type { Configuration } from './configuration.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { messageOf } from '../terminal/message-of.ts'

/**
 * The prices in the file that the configuration names; undefined when it names none.
 * @throws UsageError that says what is wrong with the file.
 */
export async function readPrices({ pricesFile }: Pick<Configuration, 'pricesFile'>): Promise<CostRow[] | undefined> {
  if (pricesFile === undefined) return undefined
  try {
    return readPriceList(JSON.parse(await readFile(pricesFile, 'utf8')))
  } catch (error) {
    const reason = messageOf(error)
    throw new UsageError(`cannot load prices from ${pricesFile} (HEDDLE_PRICES_FILE): ${reason}`)
  }
}
