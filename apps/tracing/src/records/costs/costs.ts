import type { Platform } from '../../platform.ts'
import type { CostRow } from './cost-row.ts'
import { costsHandlers } from './costs-handlers.ts'
import { sqlCostsStore } from './costs-store.sql.ts'
import { createPrices } from './prices.ts'

/** Prices of models: those of a project before the defaults. */
export function createCosts(
  { database, analytical, locks, clock, newId }: Platform,
  { readDefaults }: { readDefaults: () => Promise<readonly CostRow[]> },
) {
  const store = sqlCostsStore({ database, analytical })
  return { handlers: costsHandlers({ store, locks, clock, newId }), ...createPrices({ costs: store, readDefaults }) }
}
