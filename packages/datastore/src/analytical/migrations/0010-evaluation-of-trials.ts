import { derivedColumns, filledColumns } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import { trialOfColumn } from '../tables/trial-of-column.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

const withEvaluation = { name: callsTable.name, derived: { trial_of: trialOfColumn } }

/** Predict-and-score calls get the evaluation that they belong to in a column that is empty for all other calls. */
export const evaluationOfTrials: AnalyticalMigration = {
  name: '0010-evaluation-of-trials',
  statements: (kind) => derivedColumns(kind, withEvaluation),
  inBackground: (kind) => filledColumns(kind, withEvaluation),
}
