import { changedColumns } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import { serviceTierColumn } from '../tables/service-tier-column.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/**
 * Inserts of calls analyze a shorter expression for the service tier. Existing rows keep their values: only where a payload is a list, which has no tier,
 * could the earlier expression find another one.
 */
export const shorterServiceTier: AnalyticalMigration = {
  name: '0021-shorter-service-tier',
  statements: (kind) => changedColumns(kind, { name: callsTable.name, derived: { service_tier: serviceTierColumn } }),
}
