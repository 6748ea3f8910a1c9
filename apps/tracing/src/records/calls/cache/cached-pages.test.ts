import { type CallRow, callsTable, rowEncoders } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, anEnd, aStart, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'
import { micros } from '../../../testing/system-micros.ts'
import { cachedPages } from './cached-pages.ts'
import { noCallsCache } from './calls-cache.ts'
import { noOpenCallsCache, type OpenCallsCache } from './open-calls-cache.ts'
import { createPagesCache } from './pages-cache.ts'
import { payloadColumns, type CallsSelection, type CallsStore, type PayloadColumn } from '../calls-store.ts'
import { createProjectVisibility } from '../../../deletions/visibility.ts'
import { sqlCallsStore } from '../calls-store.sql.ts'
import { EncodedCall, type WrittenCall } from '../row/encoded-call.ts'
import { createSelectionPreparer } from '../read/prepare-selection.sql.ts'

let app: TestApp
let stored: CallsStore
/** Calls that the store was asked to read, by their ids. */
let asked: string[]
let now: number | undefined

beforeAll(async () => {
  app = await startTestApp()
  const clock = () => now ?? micros()
  const visibility = createProjectVisibility({ deletions: { hiddenIn: async () => new Map() }, clock })
  const of = { analytical: app.stores.analytical, cache: noCallsCache, clock, visibility }
  const preparer = createSelectionPreparer({
    ...of,
    deletedVersions: async () => [],
    findTables: async () => new Map(),
    callsOfQueues: async () => new Map(),
  })
  const store = sqlCallsStore({ ...of, preparer })
  stored = {
    ...store,
    readPage(project, keys, payloads) {
      asked.push(...keys.map(({ id }) => id))
      return store.readPage(project, keys, payloads)
    },
    readOne(project, id) {
      asked.push(id)
      return store.readOne(project, id)
    },
  }
})
afterAll(() => app.close())

const everything = new Set(payloadColumns)
const newestFirst: CallsSelection = { filter: null, query: null, sort_by: null, limit: 1_000, offset: null, expand_columns: null }

/** An empty cache before a new project. */
async function start({ maxBytes = 1_000_000, openCalls = noOpenCallsCache as Pick<OpenCallsCache, 'get'> } = {}) {
  asked = []
  const project_id = app.newProject()
  const caller = await app.identity.authenticate(app.apiKey)
  const project = await app.identity.contextFor(caller, 'write', { caller: '', signal: new AbortController().signal }).open(project_id)
  const options = { cache: createPagesCache({ maxBytes }), openCalls, clock: () => now ?? micros() }
  return { project_id, project, store: cachedPages(stored, options) }
}

async function readAll(store: CallsStore, project: ProjectScope, payloads: ReadonlySet<PayloadColumn> = everything) {
  for await (const keys of await store.select(project, newestFirst)) return store.readPage(project, keys, payloads)
  return []
}

test('a page is read once, and what comes beside it is read alone', async () => {
  const { project_id, project, store } = await start()
  const [one, two] = [aCall({ project_id, inputs: { n: 1 } }), aCall({ project_id, inputs: { n: 2 } })]
  await record(app.client, one)
  const first = await readAll(store, project)
  await record(app.client, two)
  expect((await readAll(store, project)).map(({ inputs }) => inputs).sort()).toEqual(['{"n":1}', '{"n":2}'])
  expect(await readAll(store, project)).toEqual(expect.arrayContaining(first))
  expect(asked).toEqual([one.id, two.id])
})

test('a call that a page held is not read whole again when it is requested alone, nor the other way round', async () => {
  const { project_id, project, store } = await start()
  const [one, two] = [aCall({ project_id }), aCall({ project_id })]
  await record(app.client, one, two)
  const alone = await store.readOne(project, one.id)
  const page = await readAll(store, project)
  expect(page).toContainEqual(alone)
  expect(page).toContainEqual(await store.readOne(project, two.id))
  expect(asked).toEqual([one.id, two.id])
})

test('a page shows the payloads that were requested, whatever is known', async () => {
  const { project_id, project, store } = await start()
  const call = aCall({ project_id, inputs: { a: 1 }, output: 2 })
  await record(app.client, call)
  const pages: (readonly PayloadColumn[])[] = [['inputs'], ['output'], payloadColumns, ['inputs'], []]
  for (const payloads of pages)
    expect(await readAll(store, project, new Set(payloads))).toEqual(await readAll(stored, project, new Set(payloads)))
  // Three by the cache, and five beside it.
  expect(asked).toHaveLength(3 + 5)
})

test.each<{ change: string; write(call: { project_id: string; id: string; trace_id: string }): Promise<unknown> }>([
  { change: 'is renamed', write: ({ project_id, id }) => app.client.calls.update({ project_id, call_id: id, display_name: 'new' }) },
  { change: 'ends', write: ({ project_id, id }) => app.client.calls.end({ end: anEnd({ project_id, id, output: 'late' }) }) },
  {
    change: 'starts at another time',
    write: (call) => app.client.calls.start({ start: aStart({ ...call, started_at: '2026-02-01T00:00:00Z' }) }),
  },
  { change: 'is deleted', write: ({ project_id, id }) => app.client.calls.delete({ project_id, call_ids: [id] }) },
])('a call that $change is shown as it is', async ({ write }) => {
  const { project_id, project, store } = await start()
  const [id, trace_id] = [newId(), newId()]
  await app.client.calls.start({ start: aStart({ project_id, id, trace_id, inputs: { a: 1 } }) })
  const before = await readAll(store, project)
  expect(await store.readOne(project, id)).toEqual(before[0])
  await write({ project_id, id, trace_id })
  const after = await readAll(stored, project)
  expect(after).not.toEqual(before)
  for (const read of [1, 2]) {
    expect(await readAll(store, project), `read ${read}`).toEqual(after)
    expect(await store.readOne(project, id), `read ${read}`).toEqual(after[0])
  }
})

test('a call without an end is read from memory, and is what the store has', async () => {
  let known: ReturnType<OpenCallsCache['get']> = 'unknown'
  const { project_id, project, store } = await start({ openCalls: { get: () => known } })
  const [id, unstarted] = [newId(), newId()]
  await app.client.calls.start({ start: aStart({ project_id, id, inputs: { a: 1.0 }, display_name: 'open' }) })
  await app.client.calls.end({ end: anEnd({ project_id, id: unstarted }) })
  for (const each of [id, unstarted]) {
    known = 'unknown'
    const fromStore = await stored.readOne(project, each)
    known = (await stored.findLatest(project, [each]))[0] ?? 'unknown'
    asked = []
    const read = await store.readOne(project, each)
    expect({ isSeen: read !== undefined, asked }).toEqual({ isSeen: each === id, asked: [] })
    // The store also reports that the call has a start.
    expect(fromStore ?? {}).toMatchObject({ ...read })
  }
  known = 'none'
  expect(await store.readOne(project, newId())).toBeUndefined()
  expect(asked).toEqual([])
})

/** Some calls of a project that are ready to be written, each like one that the store has. */
async function someRows({ project_id, project }: Pick<Awaited<ReturnType<typeof start>>, 'project_id' | 'project'>, count: number) {
  const call = aCall({
    project_id,
    inputs: { text: 'caf\u00e9', n: 1.0 },
    exception: 'no',
    summary: { usage: { m: { prompt_tokens: 3 } } },
  })
  await record(app.client, call)
  const [row] = await stored.findLatest(project, [call.id])
  if (row === undefined) throw new Error('the call was not stored')
  // A client may send half of a pair of surrogates, which UTF-8 does not have.
  return Array.from({ length: count }, () => ({ ...row, id: newId(), display_name: 'half \ud800', idx: [], idx_gaps: '' }))
}

function encoded(row: CallRow): EncodedCall {
  const encoder = rowEncoders(callsTable)()
  encoder.add(row)
  return new EncodedCall(Buffer.from(encoder.finish().bytes))
}

test.each<{ form: string; toWritten(row: CallRow): WrittenCall }>([
  { form: 'as its values', toWritten: (row) => row },
  { form: 'encoded', toWritten: encoded },
])('a call that was written, $form, is known without a read, as the store has it', async ({ toWritten }) => {
  const { store, ...of } = await start()
  const written = await someRows(of, 2)
  await store.append(written.map((row) => toWritten(row)))
  const page = await readAll(store, of.project)
  expect(asked).toHaveLength(1)
  expect(page).toHaveLength(3)
  expect(page).toEqual(await readAll(stored, of.project))
  for (const { id } of written) expect(await store.readOne(of.project, id)).toEqual(page.find((call) => call.id === id))
})

test('calls of large writes, and those that no reader sees, are not known', async () => {
  const { store, ...of } = await start()
  const [withoutStart, deleted, ...many] = await someRows(of, 23)
  await store.append([
    { ...withoutStart!, has_start: 0 },
    { ...deleted!, is_deleted: 1 },
  ])
  for (const { id } of [withoutStart!, deleted!]) expect(await store.readOne(of.project, id)).toBeUndefined()
  await store.append(many)
  asked = []
  expect(await readAll(store, of.project)).toHaveLength(22)
  expect(asked).toHaveLength(22)
})

test('a call that has expired is no longer read', async () => {
  const { project_id, project, store } = await start()
  await app.client.projects.updateTtlSettings({ project_id, retention_days: 1 })
  const call = aCall({ project_id, started_at: new Date().toISOString(), ended_at: new Date().toISOString() })
  await record(app.client, call)
  expect(await store.readOne(project, call.id)).toBeDefined()
  now = micros() + 2 * 86_400_000_000
  expect(await store.readOne(project, call.id)).toBeUndefined()
  expect(await readAll(store, project)).toEqual([])
  now = undefined
})

test('calls of another project are not known by their ids', async () => {
  const { project_id, project, store } = await start()
  const call = aCall({ project_id })
  await record(app.client, call)
  await store.readOne(project, call.id)
  const caller = await app.identity.authenticate(app.apiKey)
  const other = await app.identity.contextFor(caller, 'write', { caller: '', signal: new AbortController().signal }).open(app.newProject())
  expect(await store.readOne(other, call.id)).toBeUndefined()
})

test('pages of streams and very large calls leave what is known alone', async () => {
  const { project_id, project, store } = await start({ maxBytes: 400_000 })
  const small = aCall({ project_id })
  await record(app.client, small)
  await store.readOne(project, small.id)
  const large = aCall({ project_id, inputs: { text: 'x'.repeat(20_000) } })
  await record(app.client, large, ...Array.from({ length: 300 }, () => aCall({ project_id })))
  const all = await readAll(store, project)
  expect(all).toHaveLength(302)
  await store.readOne(project, large.id)
  asked = []
  await store.readOne(project, small.id)
  await store.readOne(project, large.id)
  await store.readOne(project, all.at(-1)?.id ?? '')
  expect(asked).toEqual([large.id, all.at(-1)?.id])
})
