import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { TracingClient } from '../connect.ts'
import { hashFile, listFiles } from '../archive/hashed-files.ts'
import { damaged, manifestFiles } from '../archive/sealed-manifest.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { type ExportManifest, exportFiles, readExportManifest } from './export-manifest.ts'
import { importCalls, verifyCalls } from './import-calls.ts'
import { type ImportContext, readRecords, stringOf, writeOne } from './import-context.ts'
import { importCosts, importFeedback } from './import-feedback-and-costs.ts'
import { importObjects, verifyObjects } from './import-objects.ts'
import { importQueues } from './import-queues.ts'
import { importSettings } from './project-settings.ts'
import { createTableImport, type TableImport } from './import-tables.ts'
import { createReferenceMap } from './references.ts'
import { messageOf } from '../terminal/message-of.ts'

export interface ImportOptions {
  client: TracingClient
  /** `entity/project` to write to; it may be another than the one that was exported, and may hold something already. */
  project: string
  folder: string
  onStep: (step: string) => void
}

/** An export that was imported. */
export interface ImportSummary extends ExportManifest {
  /** What of it was not, as sentences for a person. */
  leftOut: string[]
}

/**
 * Writes an exported project into a project, with references into the old one changed to the new one, and reads all of it back.
 * Importing again changes nothing.
 * @throws UsageError with file, line and reason, if a record is refused, or differs afterwards from the exported one
 */
export async function importProject({ client, project, folder, onStep }: ImportOptions): Promise<ImportSummary> {
  const manifest = await readExportManifest(folder)
  await checkFiles(folder, manifest, onStep)
  const references = createReferenceMap({ from: manifest.project, to: project })
  const context: ImportContext = { client, project, folder, references, onStep }
  const contents = await importContents(context)
  const tables = createTableImport(context, {
    digests: tablesIn(manifest),
    partial: manifest.partial_tables,
    from: manifest.project,
  })
  const objects = await importObjects(context, tables)
  await tables.importRest()
  const calls = await importCalls(context)
  const found = { objects: objects.size, calls: calls.size, tables: tables.imported.size, contents }
  const queues = await importQueues(context, calls)
  const feedback = await importFeedback(context, queues)
  const costs = await importCosts(context)
  await verifyObjects(context, objects)
  await verifyTables(context, tables)
  await verifyCalls(context, calls)
  assertCounts({ ...found, feedback, costs, queues: queues.size }, manifest)
  // Last, so that limits do not delay the import.
  return { ...manifest, leftOut: await importSettings(context) }
}

async function checkFiles(folder: string, { files }: ExportManifest, onStep: (step: string) => void): Promise<void> {
  for (const [index, file] of files.entries()) {
    onStep(`Checking files: ${index + 1} of ${files.length}`)
    const found = await hashFile(folder, file.path).catch((error: unknown) => {
      throw damaged(folder, `cannot read ${file.path} (${messageOf(error)})`)
    })
    if (!isDeepStrictEqual(found, file)) throw damaged(folder, `${file.path} does not match its hash`)
  }
  const known = new Set([...files.map(({ path }) => path), ...manifestFiles])
  const extra = (await listFiles(folder)).find((path) => !known.has(path))
  if (extra !== undefined) throw damaged(folder, `${extra} is not in the manifest`)
}

function tablesIn({ files }: ExportManifest): string[] {
  return files.flatMap(({ path }) => /^tables\/([0-9a-f]{64})\.jsonl$/.exec(path)?.[1] ?? [])
}

async function importContents(context: ImportContext): Promise<number> {
  const { client, project, folder, onStep } = context
  let count = 0
  for await (const { line, record } of readRecords(context, exportFiles.contents)) {
    const digest = stringOf(record['digest'])
    if (!/^[A-Za-z0-9]{43}$/.test(digest))
      throw new UsageError(`${line.file}, line ${line.number}: ${JSON.stringify(digest)} is not a digest`)
    const bytes = await readFile(join(folder, exportFiles.content(digest)))
    const file = { field: 'file', filename: undefined, content_type: undefined, bytes }
    await writeOne(line, () => client.files.create({ project_id: project, expected_digest: digest, files: [file] }))
    onStep(`Importing files: ${++count}`)
  }
  return count
}

async function verifyTables({ client, project, onStep }: ImportContext, { imported }: TableImport): Promise<void> {
  onStep('Comparing tables')
  for (const [digest, rows] of imported) {
    const { count } = await client.tables.queryStats({ project_id: project, digest })
    if (count !== rows) throw new UsageError(`table ${digest} has ${count} rows after the import, expected ${rows}`)
  }
}

function assertCounts(found: Record<string, number>, { counts }: ExportManifest): void {
  for (const [what, count] of Object.entries(counts))
    if (found[what] !== count) throw new UsageError(`imported ${found[what]} ${what}, expected ${count}`)
}
