import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isApiError } from '@heddle/core-api'
import { stringifyJson } from '@heddle/json'
import type { TracingClient } from '../connect.ts'
import { makeEmptyFolder } from '../archive/empty-folder.ts'
import { type HashedFile, hashFile, listFiles } from '../archive/hashed-files.ts'
import { syncFolder } from '../archive/sync-folder.ts'
import { type ExportManifest, exportFiles, writeExportManifest } from './export-manifest.ts'
import { itemsOf, queuesOf } from './export-queues.ts'
import { writeLines } from './jsonl-file.ts'
import { settingsOf } from './project-settings.ts'
import { findNamedContents, type NamedContents } from './references.ts'

export interface ExportOptions {
  client: TracingClient
  /** `entity/project`. */
  project: string
  /** Must be empty, or not there. */
  folder: string
  version: string
  /** Microseconds since 1970. */
  clock: () => number
  onStep: (step: string) => void
}

export interface ExportSummary {
  counts: ExportManifest['counts']
  /** Bytes of files that nothing in the project refers to; they are not exported. */
  unnamedBytes: number
  /** Rows that tables name and that were never stored. */
  missingRows: number
}

const pageSize = 500

/** Writes a project as files of JSON lines, with the tables and contents that it names. It reads page by page, while others write. */
export async function exportProject(options: ExportOptions): Promise<ExportSummary> {
  const { client, project, folder, onStep } = options
  await makeEmptyFolder(folder)
  const named = findNamedContents(project)
  const write = (what: 'objects' | 'calls' | 'feedback' | 'costs' | 'queues' | 'items', records: AsyncIterable<object>) =>
    writeLines(join(folder, exportFiles[what]), toLines(records, named), (count) => onStep(`Exporting ${what}: ${count}`))
  // What refers to objects first, so that the objects it names are in the export, whatever is written meanwhile.
  const feedback = await write('feedback', feedbackOf(client, project))
  const queueIds: string[] = []
  const queues = await write('queues', queuesOf(client, project, queueIds))
  await write('items', itemsOf(client, project, queueIds))
  const calls = await write('calls', client.calls.streamQuery({ project_id: project }))
  const objects = await write('objects', objectsOf(client, project))
  const costs = await write('costs', costsOf(client, project))
  const { tables, missingRows, partial } = await exportTables(options, named)
  const { contents, bytes } = await exportContents(options, named)
  await writeLines(join(folder, exportFiles.settings), toLines(settingsOf(client, project), named))
  const { total_size_bytes } = await client.files.queryStats({ project_id: project })
  const counts = { objects, calls, feedback, costs, queues, tables, contents }
  onStep('Hashing')
  const files: HashedFile[] = []
  for (const path of await listFiles(folder)) files.push(await hashFile(folder, path))
  await syncFolder(folder)
  const exported_at = new Date(options.clock() / 1_000).toISOString()
  await writeExportManifest(folder, { version: options.version, project, exported_at, counts, partial_tables: partial, files })
  return { counts, missingRows, unnamedBytes: Math.max(0, total_size_bytes - bytes) }
}

async function* toLines(records: AsyncIterable<object>, named: NamedContents): AsyncGenerator<string> {
  for await (const record of records) {
    const line = stringifyJson(record)
    // The own digest of a version or a row names no file.
    named.read('digest' in record && 'val' in record ? stringifyJson(record.val) : line)
    yield line
  }
}

async function* objectsOf(client: TracingClient, project_id: string): AsyncGenerator<object> {
  for (let offset = 0; ; offset += pageSize) {
    const { objs } = await client.objects.query({ project_id, limit: pageSize, offset, include_tags_and_aliases: true })
    yield* objs
    if (objs.length < pageSize) return
  }
}

async function* feedbackOf(client: TracingClient, project_id: string): AsyncGenerator<object> {
  for (let offset = 0; ; offset += pageSize) {
    const { result } = await client.feedback.query({ project_id, limit: pageSize, offset })
    yield* result
    if (result.length < pageSize) return
  }
}

async function* costsOf(client: TracingClient, project_id: string): AsyncGenerator<object> {
  yield* (await client.costs.query({ project_id })).results
}

/** A table may name others in its rows: they are found while it is written. */
async function exportTables({ client, project, folder, onStep }: ExportOptions, named: NamedContents) {
  let tables = 0
  let missingRows = 0
  const partial: string[] = []
  for (const digest of named.tables) {
    const { tables: found } = await client.tables.queryStatsBatch({ project_id: project, digests: [digest] })
    const count = found[0]?.count
    if (count === undefined) continue
    onStep(`Exporting tables: ${++tables}`)
    const rows = client.tables.queryStream({ project_id: project, digest })
    const missing = count - (await writeLines(join(folder, exportFiles.table(digest)), toLines(rows, named)))
    if (missing > 0) partial.push(digest)
    missingRows += missing
  }
  return { tables, missingRows, partial }
}

async function exportContents({ client, project, folder, onStep }: ExportOptions, named: NamedContents) {
  const sizes = new Map<string, number>()
  async function* lines(): AsyncGenerator<string> {
    for (const digest of named.contents) {
      const answer = await client.files.content({ project_id: project, digest }).catch(unlessMissing)
      if (answer === undefined) continue
      await writeContent(join(folder, exportFiles.content(digest)), answer.bytes)
      sizes.set(digest, answer.bytes.length)
      onStep(`Exporting files: ${sizes.size}`)
      yield stringifyJson({ digest, bytes: answer.bytes.length })
    }
  }
  const contents = await writeLines(join(folder, exportFiles.contents), lines())
  return { contents, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) }
}

function unlessMissing(error: unknown): undefined {
  if (!isApiError(error) || error.status !== 404) throw error
}

async function writeContent(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  await file.writeFile(bytes).finally(() => file.close())
}
