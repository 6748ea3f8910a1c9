import type { ObjectFiles } from '@heddle/datastore'

/** Where calls, usage, feedback and results of evaluations go, and how often. */
export interface ParquetExportSettings {
  files: ObjectFiles
  everyMs: number
}

/** Ids of all projects, in their order. Ends early when the signal aborts. */
export type ListProjects = (signal: AbortSignal) => AsyncIterable<string>
