import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from '@heddle/datastore'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTombstoneSweeper } from '../tombstone-sweeper.ts'
import { sqlObjectValuesStore } from '../records/objects/values/object-values-store.sql.ts'
import { sqlObjectsStore } from '../records/objects/objects-store.sql.ts'
import { startValueSweeper } from '../records/objects/values/value-sweeper.ts'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'
import { micros } from '../testing/system-micros.ts'
import { aCall, aStart, anEnd, newId, record } from './testing/call-builders.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ own: {} })
})
afterAll(() => app.close())

const onError = (error: unknown) => expect.unreachable(String(error))

/** A text in which a payload is found again. */
const aMark = () => `mark-${randomUUID()}`

/** All rows of all parts, also of those that no read sees any more, as text. */
async function decodedRows(): Promise<string> {
  const { analytical } = app.stores
  const tables = [sql`SELECT * FROM heddle.calls`, sql`SELECT * FROM heddle.feedback`, sql`SELECT * FROM heddle.object_values`]
  const rows = await Promise.all(tables.map((table) => analytical.rows<object>(table)))
  return JSON.stringify(rows)
}

/** All files of the data folder, but for those of the engine: parts that others have replaced stay a while. */
async function otherFiles(): Promise<string> {
  const { dataDir } = app.stores
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const others = paths.filter((path) => !path.startsWith(join(dataDir, 'store')))
  return Buffer.concat(await Promise.all(others.map((path) => readFile(path)))).toString('latin1')
}

/** Which of the marks the data folder holds, in rows as they are decoded and in other files as they are. */
async function onDisk(marks: Record<string, string>): Promise<string[]> {
  const content = (await decodedRows()) + (await otherFiles())
  return Object.entries(marks).flatMap(([name, mark]) => (content.includes(mark) ? [name] : []))
}

test('what was deleted is gone from reads at once, and in no row on the disk after the sweeps', async () => {
  const { client } = app
  const project_id = app.newProject()
  const marks = { call: aMark(), halves: aMark(), feedback: aMark(), object: aMark(), kept: aMark() }
  const payload = (mark: string) => ({ inputs: { mark }, output: { mark }, attributes: { mark }, summary: { mark }, display_name: mark })
  const [call, kept] = [aCall({ project_id, ...payload(marks.call) }), aCall({ project_id, ...payload(marks.kept) })]
  await record(client, call, kept)
  const halves = newId()
  await client.calls.start({ start: aStart({ project_id, id: halves, inputs: { mark: marks.halves }, display_name: marks.halves }) })
  await client.calls.end({ end: anEnd({ project_id, id: halves, output: { mark: marks.halves }, exception: marks.halves }) })
  const weave_ref = `weave:///${project_id}/call/${kept.id}`
  const note = await client.feedback.create({ project_id, weave_ref, feedback_type: 'note', payload: { mark: marks.feedback } })
  await client.objects.create({ obj: { project_id, object_id: 'gone', val: { mark: marks.object } } })
  expect(await onDisk(marks)).toEqual(Object.keys(marks))

  await client.calls.delete({ project_id, call_ids: [call.id, halves] })
  await client.feedback.purge({ project_id, query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: note.id }] } } })
  await client.objects.delete({ project_id, object_id: 'gone' })
  expect((await client.calls.read({ project_id, id: call.id })).call).toBeNull()
  expect((await client.calls.query({ project_id })).calls.map(({ id }) => id)).toEqual([kept.id])
  expect((await client.feedback.query({ project_id })).result).toEqual([])
  expect((await client.objects.query({ project_id })).objs).toEqual([])

  const rows = startTombstoneSweeper({ analytical: app.stores.analytical, onError })
  expect(await rows.sweep()).toEqual({ deleted: 3 })
  expect(await rows.sweep()).toEqual({ deleted: 0 })
  await rows.close()
  const later = () => micros() + 2 * 86_400_000_000
  const values = startValueSweeper({
    objects: sqlObjectsStore(app.stores.database),
    values: sqlObjectValuesStore(app.stores.analytical, later),
    clock: later,
    onError,
  })
  expect(await values.sweep()).toMatchObject({ deleted: 1 })
  await values.close()
  expect(await onDisk(marks)).toEqual(['kept'])
  expect((await client.calls.query({ project_id })).calls).toMatchObject([{ id: kept.id, inputs: { mark: marks.kept } }])
})
