import { addedColumns } from '../table-definition.ts'
import { usageTable } from '../tables/usage.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/** Usage records how much of the input read from a cache is audio and images. Its rows, and those of traces, are computed again. */
export const cachedAudioAndImages: AnalyticalMigration = {
  name: '0019-cached-audio-and-images',
  statements: (kind) => addedColumns(kind, usageTable),
}
