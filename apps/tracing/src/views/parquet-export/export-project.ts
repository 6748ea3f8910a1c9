import type { ObjectFiles } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { type ExportedDay, manifestName, type ParquetManifest, readManifest } from './export-manifest.ts'
import type { ParquetStore, TableDay } from './parquet-store.ts'
import { type ParquetTable, parquetTables } from '../../query/parquet-tables.ts'

/** Most rows of a file, and about most bytes; a day with more has several. The store holds a file in memory. */
const fileLimits = { rows: 100_000, bytes: 64 << 20 }

export interface ExportProjectDeps {
  store: ParquetStore
  files: ObjectFiles
  now: () => Date
  signal: AbortSignal
  onProgress: (done: number, total: number) => void
}

/** What an export did. */
export interface ExportedProject {
  /** Days that were written. */
  written: number
  /** Days that had rows before, and have none now. */
  removed: number
}

/**
 * Brings the files of a project up to date: days whose rows have changed are written to new files, then the manifest names these, then the old ones
 * are removed. It may end anywhere and begin again: a reader of the manifest always sees whole days.
 */
export async function exportProject(project: ProjectScope, deps: ExportProjectDeps): Promise<ExportedProject> {
  const folder = [project.entity, project.name].map(encodeURIComponent).join('/')
  const { store, files, now, signal, onProgress } = deps
  const manifest = readManifest(await files.readText(`${folder}/${manifestName}`), project.id)
  const save = () => files.write(`${folder}/${manifestName}`, Buffer.from(JSON.stringify(manifest)))
  const changes: Change[] = []
  for (const table of parquetTables) changes.push(...changesOf(table, manifest, await store.days(project, table)))
  for (const [done, { table, day, found }] of changes.entries()) {
    signal.throwIfAborted()
    const days = (manifest.tables[table.name] ??= {})
    const old = days[day]?.files ?? []
    if (found === undefined) delete days[day]
    else days[day] = await writeDay({ project, folder, table, found }, deps)
    await save()
    const kept = new Set(days[day]?.files.map(({ path }) => path))
    for (const { path } of old) if (!kept.has(path)) await files.remove(`${folder}/${path}`)
    onProgress(done + 1, changes.length)
  }
  manifest.exported_at = now().toISOString()
  await save()
  const removed = changes.filter(({ found }) => found === undefined).length
  return { written: changes.length - removed, removed }
}

/** A day to write, or without rows to remove. */
interface Change {
  table: ParquetTable
  day: string
  found: TableDay | undefined
}

function changesOf(table: ParquetTable, manifest: ParquetManifest, found: readonly TableDay[]): Change[] {
  const known = manifest.tables[table.name] ?? {}
  const isCurrent = ({ day, rows, hash }: TableDay) => known[day]?.hash === hash && known[day]?.rows === rows
  const days = new Set(found.map(({ day }) => day))
  return [
    ...found.filter((day) => !isCurrent(day)).map((day) => ({ table, day: day.day, found: day })),
    ...Object.keys(known).flatMap((day) => (days.has(day) ? [] : [{ table, day, found: undefined }])),
  ]
}

interface DayToWrite {
  project: ProjectScope
  folder: string
  table: ParquetTable
  found: TableDay
}

async function writeDay({ project, folder, table, found }: DayToWrite, { store, files }: ExportProjectDeps): Promise<ExportedDay> {
  const { day, rows, bytes, hash } = found
  const parts = Math.max(1, Math.ceil(rows / fileLimits.rows), Math.ceil(bytes / fileLimits.bytes))
  const written: ExportedDay['files'] = []
  for (let part = 0; part < parts; part++) {
    const path = `${table.name}/date=${day}/${hash.toLowerCase()}-${part}.parquet`
    written.push({ path, bytes: await files.write(`${folder}/${path}`, store.read(project, table, { day, part, parts })) })
  }
  return { rows, hash, files: written }
}
