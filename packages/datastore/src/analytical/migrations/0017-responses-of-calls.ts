import { derivedColumns, filledColumns } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import { responseIdColumn } from '../tables/response-id-column.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

const withResponses = { name: callsTable.name, derived: { response_id: responseIdColumn } }

/**
 * A column of calls records the response that they describe, to distinguish reports of one request from those of several. Traces are settled again.
 */
export const responsesOfCalls: AnalyticalMigration = {
  name: '0017-responses-of-calls',
  statements: (kind) => derivedColumns(kind, withResponses),
  inBackground: (kind) => filledColumns(kind, withResponses),
}
