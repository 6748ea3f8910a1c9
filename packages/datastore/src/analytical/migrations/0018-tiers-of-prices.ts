import { addedColumns, derivedColumns, filledColumns } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import { serviceTierColumn } from '../tables/service-tier-column.ts'
import { usageTable } from '../tables/usage.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

const withTiers = { name: callsTable.name, derived: { service_tier: serviceTierColumn } }

/**
 * Calls record the service tier that answered them, and usage the other properties that its price depends on. Existing rows of usage are computed
 * again.
 */
export const tiersOfPrices: AnalyticalMigration = {
  name: '0018-tiers-of-prices',
  statements: (kind) => [...derivedColumns(kind, withTiers), ...addedColumns(kind, usageTable)],
  inBackground: (kind) => filledColumns(kind, withTiers),
}
