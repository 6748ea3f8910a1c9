import type { TracingClient } from '../connect.ts'
import type { ImportCounts } from './import-report.ts'

/** The project that an import writes to, and the counts of its report. */
export interface ImportTarget {
  client: TracingClient
  /** `entity/project`. */
  project: string
  counts: ImportCounts
}
