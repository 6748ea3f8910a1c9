import { ttlChange } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import { expiryTtl } from '../tables/expiry-ttl.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/** Calls that never expire get an expiry time as well, so that expired calls of the same part do not take them along. */
export const timeOfCallsThatStay: AnalyticalMigration = {
  name: '0004-time-of-calls-that-stay',
  statements: (kind) => [ttlChange(kind, { name: callsTable.name, ttl: expiryTtl })],
}
