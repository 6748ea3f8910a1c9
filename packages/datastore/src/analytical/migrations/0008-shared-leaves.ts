import type { AnalyticalMigration } from './analytical-migration.ts'

/**
 * The index of a call may hold values that its raw span shares with its attributes only once, as `idx_gaps` records. No table changes, and existing
 * rows remain readable; a version without this step would not find such values, so it refuses the data.
 */
export const sharedLeaves: AnalyticalMigration = { name: '0008-shared-leaves', statements: () => [] }
