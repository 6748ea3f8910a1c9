import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson } from '@heddle/json'
import { removeReleased, sql } from '@heddle/datastore'
import { sql as statement } from 'kysely'
import { sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { aCall, aStart, findCalls, newId, record } from '../../contract-tests/testing/call-builders.ts'
import { aFeedback, callRef } from '../../contract-tests/testing/feedback-builders.ts'
import { aFilledProject, contentOf } from '../../contract-tests/testing/filled-project.ts'
import { sqlFilesStore } from '../../records/files/files-store.sql.ts'
import { startTestApp, type TestApp, type TestClient } from '../../testing/start-test-app.ts'

/** What SQLite has freed stays in its file until it is written over. */
const databaseFile = /\.(db|sqlite)(-wal|-shm)?$/
const patience = { timeout: 60_000, interval: 150 }
type Start = Parameters<TestClient['dataDeletions']['start']>[0]

const tables = ['calls', 'feedback', 'object_values', 'table_rows', 'tables', 'traces', 'usage', 'deleted_calls'] as const
const rowsOf = {
  calls: sql`SELECT * FROM heddle.calls`,
  feedback: sql`SELECT * FROM heddle.feedback`,
  object_values: sql`SELECT * FROM heddle.object_values`,
  table_rows: sql`SELECT * FROM heddle.table_rows`,
  tables: sql`SELECT * FROM heddle.tables`,
  traces: sql`SELECT * FROM heddle.traces`,
  usage: sql`SELECT * FROM heddle.usage`,
  deleted_calls: sql`SELECT * FROM heddle.deleted_calls`,
} as const satisfies Record<(typeof tables)[number], unknown>

/** Tables of the relational store that name who requested a deletion, as its receipt does. */
const namesRequests = new Set(['deletions', 'audit_entries', 'jobs'])

const dialects = [
  { dialect: 'SQLite', shared: {}, isMissing: false },
  { dialect: 'PostgreSQL', shared: { postgresUrl: inject('postgresUrl') }, isMissing: inject('postgresUrl') === '' },
]

describe.each(dialects)('deletions of data, with records in $dialect', ({ dialect, shared, isMissing }) => {
  let app: TestApp
  beforeAll(async () => {
    if (!isMissing) app = await startTestApp({ own: {}, ...shared, service: { removedAtOnce: 2 } })
  })
  afterAll(() => app?.close())
  beforeEach(({ skip }) => skip(isMissing, 'no PostgreSQL server'))

  /** Starts a deletion and waits for its receipt. */
  async function deleted(client: TestClient, project_id: string, selection: Start['selection']) {
    const id = randomUUID()
    expect((await client.dataDeletions.start({ project_id, id, selection })).deletion).toMatchObject({ id, receipt: null })
    await expect.poll(async () => (await client.dataDeletions.read({ project_id, id })).state, patience).toBe('ended')
    const { receipt } = await client.dataDeletions.read({ project_id, id })
    if (receipt === null) throw new Error('it ended without a receipt')
    return receipt
  }

  /** All rows of both stores, also of versions that no read sees any more, and all files but those of the engine. */
  async function everything(): Promise<string> {
    const { analytical, database, dataDir, blobs, locks } = app.stores
    const { signal } = new AbortController()
    const { findReferenced } = sqlFilesStore({ database, blobs, locks })
    await removeReleased({ blobs, locks, database, findReferenced, isHeld: async () => false, signal })
    const analyticalRows = await Promise.all(tables.map((table) => analytical.rows<object>(rowsOf[table])))
    const relational = await Promise.all(
      (await database.introspection.getTables())
        .filter(({ name }) => !namesRequests.has(name) && !name.startsWith('kysely_'))
        .map(async ({ name }) => (await statement`SELECT * FROM ${statement.table(name)}`.execute(database)).rows),
    )
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const others = paths.filter((path) => !path.startsWith(join(dataDir, 'store')) && !databaseFile.test(path))
    const files = await Promise.all(others.map((path) => readFile(path).catch(() => Buffer.alloc(0))))
    return JSON.stringify([analyticalRows, relational]) + Buffer.concat(files).toString('latin1')
  }

  const found = async (marks: Record<string, string>) => {
    const all = await everything()
    return Object.entries(marks).flatMap(([name, mark]) => (all.includes(mark) ? [name] : []))
  }

  const aFile = async (client: TestClient, project_id: string, text: string) => {
    const part = { field: 'file', filename: 'f.txt', content_type: undefined, bytes: Buffer.from(text) }
    return (await client.files.create({ project_id, files: [part] })).digest
  }

  test('nothing of a user is left in any store, and everything of others is', async () => {
    const project_id = app.newProject()
    const [userId, otherId] = [`user-${randomUUID()}`, `user-${randomUUID()}`]
    const ann = await app.clientFor({ name: 'ann', role: 'admin', userId })
    const bob = await app.clientFor({ name: 'bob', role: 'admin', userId: otherId })
    const names = ['call', 'child', 'feedback', 'object', 'row', 'file', 'served', 'other', 'otherFile', 'otherRow', 'sharedFile'] as const
    const marks = Object.fromEntries(names.map((name) => [name, `mark-${name}-${randomUUID()}`])) as Record<(typeof names)[number], string>

    const [own, otherFile, shared] = await Promise.all([
      aFile(ann, project_id, marks.file),
      aFile(bob, project_id, marks.otherFile),
      aFile(bob, project_id, marks.sharedFile),
    ])
    const tableOf = async (client: TestClient, rows: Record<string, unknown>[]) =>
      (await client.tables.create({ table: { project_id, rows } })).digest
    const table = await tableOf(ann, [{ text: marks.row }, { text: marks.otherRow }])
    const otherTable = await tableOf(bob, [{ text: marks.otherRow }])
    const publish = (client: TestClient, object_id: string, val: unknown) => client.objects.create({ obj: { project_id, object_id, val } })
    const refOf = (digest: string) => `weave:///${project_id}/table/${digest}`
    await publish(ann, 'mine', { text: marks.object, rows: refOf(table) })
    await publish(bob, 'theirs', { text: marks.other, rows: refOf(otherTable) })

    const image = (digest: string) => ({ _type: 'CustomWeaveType', files: { 'image.png': digest } })
    const root = aCall({ project_id, inputs: { text: marks.call, images: [image(own), image(shared)] } })
    const child = aCall({ project_id, trace_id: root.trace_id, parent_id: root.id, output: marks.child })
    await record(ann, root, child)
    // The key is of the program; the call below names whom it served.
    const served = aCall({ project_id, inputs: { text: marks.served } })
    const names1 = { user_id: userId }
    await record(bob, served, aCall({ project_id, trace_id: served.trace_id, parent_id: served.id, attributes: names1 }))
    const others = aCall({
      project_id,
      inputs: { text: marks.other, images: [image(otherFile), image(shared)] },
      attributes: { user_id: otherId },
    })
    await record(bob, others)
    await ann.feedback.create(aFeedback({ project_id, weave_ref: callRef(project_id, others.id), payload: { note: marks.feedback } }))
    await bob.feedback.create(aFeedback({ project_id, weave_ref: callRef(project_id, root.id), payload: { note: marks.feedback } }))
    await bob.feedback.create(aFeedback({ project_id, weave_ref: callRef(project_id, others.id), payload: { note: marks.other } }))
    const { id: queue_id } = await bob.annotationQueues.create({ project_id, name: 'review', scorer_refs: [] })
    await bob.annotationQueues.addCalls({ project_id, queue_id, call_ids: [root.id, others.id], display_fields: [] })
    expect(await found(marks)).toEqual(names)

    const selection = { kind: 'user' as const, user_id: userId }
    const counts = { calls: 4, feedback: 2, annotation_items: 1, object_versions: 1 }
    const dry = await app.client.dataDeletions.start({ project_id, id: randomUUID(), selection, dry_run: true })
    expect(dry).toMatchObject({ found: counts, deletion: null })
    expect(await findCalls(app.client, { project_id })).toHaveLength(5)

    const receipt = await deleted(app.client, project_id, selection)
    expect(receipt).toMatchObject({ project_id, selection, removed: { ...counts, tables: 1, table_rows: 1, files: 1 } })
    const { digest, ...rest } = receipt
    expect(digest).toBe(createHash('sha256').update(canonicalJson(rest)).digest('hex'))

    // Keys are revoked, not deleted with what they recorded.
    await app.stores.database.deleteFrom('api_keys').where('user_id', '=', userId).execute()
    const kept = ['other', 'otherFile', 'otherRow', 'sharedFile']
    expect(await found({ ...marks, userId })).toEqual(kept)
    expect((await findCalls(app.client, { project_id })).map(({ id }) => id)).toEqual([others.id])
    expect((await app.client.feedback.query({ project_id })).result).toMatchObject([{ payload: { note: marks.other } }])
    expect((await app.client.objects.query({ project_id })).objs).toMatchObject([{ object_id: 'theirs', val: { text: marks.other } }])
    expect((await app.client.tables.query({ project_id, digest: otherTable })).rows).toMatchObject([{ val: { text: marks.otherRow } }])
    expect(Buffer.from((await app.client.files.content({ project_id, digest: shared })).bytes).toString()).toBe(marks.sharedFile)
    expect((await app.client.annotationQueues.queryItems({ project_id, queue_id })).items).toMatchObject([{ call_id: others.id }])
  })

  test('nothing of a deleted project is left but its name, and another project keeps the same content', async () => {
    const mark = `mark-${randomUUID()}`
    const [gone, kept] = [await aFilledProject(app, mark), await aFilledProject(app, mark)]
    const before = await contentOf(app, kept)
    const running = aStart({ project_id: gone.project_id, inputs: { text: mark } })
    await app.client.calls.start({ start: running })

    const { removed } = await deleted(app.client, gone.project_id, { kind: 'project' })
    expect(removed).toMatchObject({ feedback: 1, annotation_items: 1, object_versions: 1, tables: 1, table_rows: 1, files: 1 })
    expect(await contentOf(app, kept)).toEqual(before)
    const { project_id } = kept
    await deleted(app.client, project_id, { kind: 'project' })
    // Keys have names of their own, which stay as the keys do.
    await app.stores.database.deleteFrom('api_keys').where('name', '=', mark).execute()
    expect(await found({ mark })).toEqual([])
    // What comes late brings nothing back.
    await app.client.calls.end({
      end: { project_id: gone.project_id, id: running.id ?? '', ended_at: '2026-03-01T00:00:01Z', summary: {}, output: mark },
    })
    expect(await findCalls(app.client, { project_id: gone.project_id })).toEqual([])
  })

  test('a deletion of a query covers the matching calls with everything below them, and with whole traces what is beside them', async () => {
    const project_id = app.newProject()
    const trace_id = newId()
    const root = aCall({ project_id, trace_id })
    const matching = aCall({ project_id, trace_id, parent_id: root.id, attributes: { tenant: 'acme' } })
    const below = aCall({ project_id, trace_id, parent_id: matching.id })
    const farBelow = aCall({ project_id, trace_id, parent_id: below.id })
    const beside = aCall({ project_id, trace_id, parent_id: root.id })
    const other = aCall({ project_id })
    await record(app.client, root, matching, below, farBelow, beside, other)
    const ids = async () => (await findCalls(app.client, { project_id })).map(({ id }) => id).toSorted()
    const query = { $expr: { $eq: [{ $getField: 'attributes.tenant' }, { $literal: 'acme' }] } } as const
    const one = await deleted(app.client, project_id, { kind: 'calls', query })
    expect(one.removed.calls).toBe(3)
    expect(await ids()).toEqual([root.id, beside.id, other.id].toSorted())
    const filter = { call_ids: [beside.id] }
    expect((await deleted(app.client, project_id, { kind: 'calls', filter, whole_traces: true })).removed.calls).toBe(2)
    expect(await ids()).toEqual([other.id])
  })

  test('the same id begins a deletion once, and refuses another selection', async () => {
    const project_id = app.newProject()
    await record(app.client, aCall({ project_id, attributes: { user_id: 'u' } }), aCall({ project_id, attributes: { user_id: 'v' } }))
    const id = randomUUID()
    const start = (user_id: string) => app.client.dataDeletions.start({ project_id, id, selection: { kind: 'user', user_id } })
    await Promise.all([start('u'), start('u'), start('u')])
    await expect(start('v')).rejects.toMatchObject({ status: 409 })
    const another = app.newProject()
    await record(app.client, aCall({ project_id: another }))
    const again = app.client.dataDeletions.start({ project_id: another, id, selection: { kind: 'project' } })
    await expect(again).rejects.toMatchObject({ status: 409 })
    await expect.poll(async () => (await app.client.dataDeletions.read({ project_id, id })).state, patience).toBe('ended')
    await start('u')
    const { deletions } = await app.client.dataDeletions.query({ project_id })
    expect(deletions).toMatchObject([{ id, removed: { calls: 1 } }])
    expect((await app.client.projects.queryDeletions({ project_id })).deletions).toEqual([])
    const { entries } = await app.client.auditLog.query({ project_id })
    expect(entries.filter(({ operation }) => operation === 'dataDeletions.start')).toHaveLength(5)
  })

  test('only keys that may delete start one, read receipts and count', async () => {
    const project_id = app.newProject()
    await record(app.client, aCall({ project_id }))
    const writer = await app.clientFor({ name: 'writer', role: 'writer' })
    const selection = { kind: 'project' } as const
    await expect(writer.dataDeletions.start({ project_id, id: randomUUID(), selection })).rejects.toMatchObject({ status: 403 })
    await expect(writer.dataDeletions.start({ project_id, id: randomUUID(), selection, dry_run: true })).rejects.toMatchObject({
      status: 403,
    })
    await expect(writer.dataDeletions.query({ project_id })).rejects.toMatchObject({ status: 403 })
    expect(await findCalls(app.client, { project_id })).toHaveLength(1)
  })

  test.each([
    ['a query of everything', { kind: 'calls' }, 400, /kind "project"/],
    ['an empty user', { kind: 'user', user_id: '' }, 422, /./],
    [
      'a query of a field that does not exist',
      { kind: 'calls', query: { $expr: { $eq: [{ $getField: 'nothing' }, { $literal: 1 }] } } },
      422,
      /nothing/,
    ],
  ] as const)('%s is refused with the reason', async (_name, selection, status, message) => {
    const project_id = app.newProject()
    await record(app.client, aCall({ project_id }))
    const start = app.client.dataDeletions.start({ project_id, id: randomUUID(), selection } as Start)
    await expect(start).rejects.toMatchObject({ status, message: expect.stringMatching(message) as string })
  })

  test('a project that does not exist is not found', async () => {
    const start = app.client.dataDeletions.start({ project_id: app.newProject(), id: randomUUID(), selection: { kind: 'project' } })
    await expect(start).rejects.toMatchObject({ status: 404 })
  })

  // The first test is kept: it deletes a user, which removes records of all kinds.
  sliceOfSuite({ isWhole: dialect === 'SQLite' })
})
