import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bucketFiles, folderFiles, type ObjectFiles } from '@heddle/datastore'
import { startS3Server } from '@heddle/datastore/testing'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/index.ts'
import type { ParquetManifest } from './export-manifest.ts'
import { exportProject } from './export-project.ts'
import { parquetTables } from '../../query/parquet-tables.ts'

vi.setConfig({ testTimeout: 180_000 })

let folder: string
let app: TestApp
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-parquet-'))
  app = await startTestApp({ own: {}, service: { parquetExport: { files: folderFiles(folder), everyMs: 1_000 } } })
}, 120_000)
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const at = (project: string, ...path: string[]) => join(folder, ...project.split('/'), ...path)
const manifestOf = async (project: string) => JSON.parse(await readFile(at(project, 'manifest.json'), 'utf8')) as ParquetManifest

/** Waits for an export after which the manifest is as wanted. */
async function exported(project: string, isWanted: (manifest: ParquetManifest) => boolean): Promise<ParquetManifest> {
  return vi.waitFor(
    async () => {
      const manifest = await manifestOf(project)
      expect(isWanted(manifest)).toBe(true)
      return manifest
    },
    { timeout: 120_000, interval: 200 },
  )
}

const rowsIn = (manifest: ParquetManifest, table: keyof ParquetManifest['tables']) =>
  Object.values(manifest.tables[table] ?? {}).reduce((sum, { rows }) => sum + rows, 0)

/** Rows of a table, as another implementation of the format reads them. */
async function readTable(project: string, manifest: ParquetManifest, table: keyof ParquetManifest['tables']) {
  const rows: Record<string, unknown>[] = []
  for (const { files } of Object.values(manifest.tables[table] ?? {}))
    for (const { path } of files)
      rows.push(...(await parquetReadObjects({ file: await asyncBufferFromFile(at(project, path)), compressors })))
  return rows
}

function aCall(project_id: string, part: Record<string, unknown> = {}) {
  const times = { started_at: '2026-03-01T23:59:59.999999Z', ended_at: '2026-03-02T00:00:01Z' }
  const usage = { m: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, requests: 1 } }
  const texts = { inputs: { question: 'Größe? "\\n"', n: 9_007_199_254_740_991 }, output: { answer: ['😀'] } }
  return {
    project_id,
    id: randomUUID(),
    trace_id: randomUUID(),
    op_name: 'ask',
    attributes: {},
    summary: { usage },
    ...times,
    ...texts,
    ...part,
  }
}

async function record(project_id: string, ...batch: ReturnType<typeof aCall>[]) {
  const [entity = '', project = ''] = project_id.split('/')
  await app.client.calls.complete({ entity, project, batch })
}

test('another engine reads the calls, usage and feedback that the API returns, by days of UTC', async () => {
  const project = app.newProject()
  const [first, second] = [aCall(project), aCall(project, { started_at: '2026-03-02T00:00:00Z', exception: 'failed', thread_id: 't' })]
  await record(project, first, second)
  const feedback = { project_id: project, weave_ref: `weave:///${project}/call/${first.id}`, creator: 'me' }
  await app.client.feedback.create({ ...feedback, feedback_type: 'wandb.note.1', payload: { note: 'well' } })
  const manifest = await exported(project, (found) => rowsIn(found, 'calls') === 2 && rowsIn(found, 'feedback') === 1)
  expect(Object.keys(manifest.tables.calls ?? {})).toEqual(['2026-03-01', '2026-03-02'])

  const rows = await readTable(project, manifest, 'calls')
  const { calls } = await app.client.calls.query({ project_id: project })
  expect(rows.map(({ id }) => id).toSorted()).toEqual(calls.map(({ id }) => id).toSorted())
  for (const call of calls) {
    const row = rows.find(({ id }) => id === call.id)
    expect(JSON.parse(String(row?.['inputs']))).toEqual(call.inputs)
    expect(JSON.parse(String(row?.['output']))).toEqual(call.output)
    expect(row).toMatchObject({
      started_at: new Date(call.started_at),
      trace_id: call.trace_id,
      parent_id: null,
      thread_id: call.thread_id ?? null,
      op_name: 'ask',
      exception: call.exception ?? null,
      total_tokens: 7n,
    })
  }
  const usage = await readTable(project, manifest, 'usage')
  expect(usage.map(({ call_id, model, input_tokens, output_tokens }) => [call_id, model, input_tokens, output_tokens]).toSorted()).toEqual(
    [first, second].map(({ id }) => [id, 'm', 3n, 4n]).toSorted(),
  )
  expect(await readTable(project, manifest, 'feedback')).toMatchObject([{ call_id: first.id, payload: '{"note":"well"}', creator: 'me' }])
})

test('the statement of the page names files that an export has, and columns of their rows', async () => {
  const page = await readFile(new URL('../../../../../docs/parquet.md', import.meta.url), 'utf8')
  const form =
    /```sql\n-- DuckDB\nSELECT (\w+), sum\((\w+)\) FROM read_parquet\('s3:\/\/bucket\/heddle\/acme\/chat\/(.+)', hive_partitioning = true\) GROUP BY \1;\n```/
  const [, group = '', summed = '', files = ''] = form.exec(page) ?? []
  const project = app.newProject()
  await record(project, aCall(project), aCall(project, { started_at: '2026-03-02T00:00:00Z' }))
  const manifest = await exported(project, (found) => rowsIn(found, 'usage') === 2)
  const written = (await readdir(at(project), { recursive: true })).filter((path) => path.startsWith('usage/') && path.endsWith('.parquet'))
  expect(written).toHaveLength(2)
  const glob = new RegExp(`^${files.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`)
  expect(written.filter((path) => !glob.test(path))).toEqual([])
  const rows = await readTable(project, manifest, 'usage')
  expect(rows.map((row) => [row[group], row[summed]])).toEqual([
    ['m', 7n],
    ['m', 7n],
  ])
})

test('only days that changed are written again, deleted calls leave them, and files that no manifest names are removed', async () => {
  const project = app.newProject()
  const [kept, changed] = [aCall(project), aCall(project, { started_at: '2026-04-01T00:00:00Z' })]
  await record(project, kept, changed)
  const before = await exported(project, (found) => rowsIn(found, 'calls') === 2 && rowsIn(found, 'usage') === 2)
  await app.client.calls.delete({ project_id: project, call_ids: [changed.id] })
  const third = aCall(project, { started_at: '2026-04-01T01:00:00Z' })
  await record(project, third)
  const isThird = (rows: Record<string, unknown>[]) => rows.some(({ id }) => id === third.id)
  const after = await vi.waitFor(
    async () => {
      const manifest = await manifestOf(project)
      expect(rowsIn(manifest, 'calls')).toBe(2)
      expect(isThird(await readTable(project, manifest, 'calls'))).toBe(true)
      return manifest
    },
    { timeout: 120_000, interval: 200 },
  )
  expect(after.tables.calls?.['2026-03-01']).toEqual(before.tables.calls?.['2026-03-01'])
  expect((await readTable(project, after, 'calls')).map(({ id }) => id).toSorted()).toEqual([kept.id, third.id].toSorted())
  const named = after.tables.calls?.['2026-04-01']?.files.map(({ path }) => path.split('/').at(-1))
  await vi.waitFor(async () => expect(await readdir(at(project, 'calls', 'date=2026-04-01'))).toEqual(named), { timeout: 60_000 })
})

test('a bucket gets the files that a folder gets', async () => {
  const server = await startS3Server()
  try {
    const files = bucketFiles({ ...server.bucket, prefix: 'exports/', stagingDir: join(folder, 'staged') })
    await files.write('acme/parquet%20x/a=1/some.parquet', Buffer.from('first'))
    await files.write('acme/parquet%20x/a=1/some.parquet', Buffer.from('second'))
    expect(await files.readText('acme/parquet%20x/a=1/some.parquet')).toBe('second')
    await files.remove('acme/parquet%20x/a=1/some.parquet')
    await files.remove('acme/parquet%20x/a=1/some.parquet')
    expect(await files.readText('acme/parquet%20x/a=1/some.parquet')).toBeUndefined()
    for (const name of ['../a', '/a', 'a/../b', 'a\0', ''])
      await expect(files.write(name, Buffer.from(''))).rejects.toThrow('is not a name of a file')
  } finally {
    await server.close()
  }
})

test('an export that ends after any write leaves a manifest whose files are whole, and the next one completes it', async () => {
  const project = 'acme/parquet cut'
  const contents = new Map<string, string>()
  const days = [1, 2, 3].map((day) => ({ day: `2026-01-0${day}`, rows: 1, bytes: 10, hash: `AB${day}` }))
  const store = {
    days: async () => days,
    read: (_project: unknown, _table: unknown, { day }: { day: string }) => {
      async function* bytes() {
        yield Buffer.from(`rows of ${day}`)
      }
      return bytes()
    },
  }
  const scope = { id: project, entity: 'acme', name: 'parquet cut' } as Parameters<typeof exportProject>[0]
  for (let writes = 0; writes < 30; writes++) {
    let left = writes
    const files: ObjectFiles = {
      async write(name, content) {
        if (left-- <= 0) throw new Error('cut')
        const parts = []
        for await (const part of content as AsyncIterable<Uint8Array>) parts.push(typeof part === 'number' ? Buffer.from([part]) : part)
        contents.set(name, Buffer.concat(parts).toString())
        return 1
      },
      readText: async (name) => contents.get(name),
      remove: async (name) => void contents.delete(name),
    }
    const options = { store, files, now: () => new Date(0), signal: new AbortController().signal, onProgress: () => undefined }
    await exportProject(scope, options).catch((error: unknown) => expect(error).toEqual(new Error('cut')))
    const manifest = contents.get('acme/parquet%20cut/manifest.json')
    const listed = Object.values((manifest === undefined ? { tables: {} } : (JSON.parse(manifest) as ParquetManifest)).tables)
    for (const { files: listedFiles } of listed.flatMap((table) => Object.values(table)))
      for (const { path } of listedFiles) expect(contents.has(`acme/parquet%20cut/${path}`)).toBe(true)
  }
  expect([...contents.keys()]).toHaveLength(1 + days.length * parquetTables.length)
})
