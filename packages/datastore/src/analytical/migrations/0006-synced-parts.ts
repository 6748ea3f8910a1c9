import { partSettings } from '../tables/part-settings.ts'
import { settingsChange } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import { feedbackTable } from '../tables/feedback.ts'
import { objectValuesTable } from '../tables/object-values.ts'
import { tableRowsTable } from '../tables/table-rows.ts'
import { tablesTable } from '../tables/tables.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

const made = [callsTable, feedbackTable, objectValuesTable, tableRowsTable, tablesTable]

/** Parts are synced before the parts that they replace are deleted. Later tables have these settings in their definition. */
export const syncedParts: AnalyticalMigration = {
  name: '0006-synced-parts',
  statements: (kind) => made.map(({ name }) => settingsChange(kind, name, partSettings)),
}
