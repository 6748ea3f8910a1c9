import type { AnalyticalMigration } from './analytical-migration.ts'

/**
 * The raw span of a call may refer to the id of its response and to its tokens, as to its times, by markers. No table changes, and existing rows remain
 * readable; a version without this step would show the markers, so it refuses the data.
 */
export const sharedUsageOfSpans: AnalyticalMigration = { name: '0023-shared-usage-of-spans', statements: () => [] }
