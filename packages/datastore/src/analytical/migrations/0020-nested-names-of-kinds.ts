import { changedColumns, filledColumns } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import { kindWordsColumn } from '../tables/kind-words-column.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

const withKinds = { name: callsTable.name, derived: { kind_words: kindWordsColumn } }

/**
 * The kind of a call is found even if its attributes nest a part of the name: `{"gen_ai": {"operation.name": …}}`. Traces are settled again from the
 * column, so existing rows have it before the migration ends.
 */
export const nestedNamesOfKinds: AnalyticalMigration = {
  name: '0020-nested-names-of-kinds',
  statements: (kind) => [...changedColumns(kind, withKinds), ...filledColumns(kind, withKinds)],
}
