import { derivedColumns, filledColumns } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import { mayNameSpansColumn } from '../tables/may-name-spans-column.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

const withSpans = { name: callsTable.name, derived: { may_name_spans: mayNameSpansColumn } }

/** A column of calls records whether their payloads may name spans. */
export const spansOfCalls: AnalyticalMigration = {
  name: '0011-spans-of-calls',
  statements: (kind) => derivedColumns(kind, withSpans),
  inBackground: (kind) => filledColumns(kind, withSpans),
}
