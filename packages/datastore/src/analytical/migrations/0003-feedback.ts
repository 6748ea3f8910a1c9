import { tableDefinition } from '../table-definition.ts'
import { feedbackTable } from '../tables/feedback.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/** Feedback on calls and objects. */
export const feedback: AnalyticalMigration = {
  name: '0003-feedback',
  statements: (kind) => tableDefinition(kind, feedbackTable),
}
