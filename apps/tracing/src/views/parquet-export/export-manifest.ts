import type { ParquetTable } from '../../query/parquet-tables.ts'

/** A file of a day. */
export interface ExportedFile {
  /** Path below the folder of the project. */
  path: string
  bytes: number
}

/** A day of a table that was exported. */
export interface ExportedDay {
  rows: number
  /** Hash of the versions of the rows: another one means that the day has changed since. */
  hash: string
  files: ExportedFile[]
}

/** What is in the folder of a project. A reader takes the files that it lists, and no others. */
export interface ParquetManifest {
  version: typeof manifestVersion
  project_id: string
  /** When the last export ended, as a time of ISO 8601; null if none has. */
  exported_at: string | null
  tables: Partial<Record<ParquetTable['name'], Record<string, ExportedDay>>>
}

/** Grows when files of an older version can no longer be read as those of a newer one: then all are written again. */
const manifestVersion = 1
export const manifestName = 'manifest.json'

/** An empty manifest if there is none, or if this version cannot read it. */
export function readManifest(text: string | undefined, project_id: string): ParquetManifest {
  const empty: ParquetManifest = { version: manifestVersion, project_id, exported_at: null, tables: {} }
  if (text === undefined) return empty
  try {
    const found = JSON.parse(text) as ParquetManifest
    return found.version === manifestVersion && typeof found.tables === 'object' ? found : empty
  } catch {
    return empty
  }
}
