import { derivedColumns, filledColumns } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import { kindWordsColumn } from '../tables/kind-words-column.ts'
import { spanScopeColumn } from '../tables/span-scope-column.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

const withKinds = { name: callsTable.name, derived: { kind_words: kindWordsColumn, span_scope: spanScopeColumn } }

/** Columns of calls record their kind and the instrumentation that reported them, so that traces are read without payloads. */
export const kindsOfCalls: AnalyticalMigration = {
  name: '0012-kinds-of-calls',
  statements: (kind) => derivedColumns(kind, withKinds),
  inBackground: (kind) => filledColumns(kind, withKinds),
}
