import type { AnalyticalMigration } from './analytical-migration.ts'

/**
 * From now on the index of a call may hold what its raw span has in common with its attributes once, which `idx_gaps` says. No table changes, and
 * existing rows are read as they are; a version without this step would not find such values, so it refuses the data.
 */
export const sharedLeaves: AnalyticalMigration = { name: '0008-shared-leaves', statements: () => [] }
