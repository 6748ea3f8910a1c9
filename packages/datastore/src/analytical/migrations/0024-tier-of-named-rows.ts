import { changedColumns } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import { serviceTierColumn } from '../tables/service-tier-column.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/** Inserts of calls look for the service tier only in rows that name one. It is the same tier, so existing rows keep their values. */
export const tierOfNamedRows: AnalyticalMigration = {
  name: '0024-tier-of-named-rows',
  statements: (kind) => changedColumns(kind, { name: callsTable.name, derived: { service_tier: serviceTierColumn } }),
}
