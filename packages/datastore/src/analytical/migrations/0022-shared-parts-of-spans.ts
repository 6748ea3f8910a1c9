import type { AnalyticalMigration } from './analytical-migration.ts'

/**
 * The raw span of a call may refer to its ids and times, as to its payloads, by markers. No table changes, and existing rows remain readable; a version
 * without this step would show the markers, so it refuses the data.
 */
export const sharedPartsOfSpans: AnalyticalMigration = { name: '0022-shared-parts-of-spans', statements: () => [] }
