import { randomUUID } from 'node:crypto'
import type { BlobDigest } from '@heddle/datastore'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { createResponses } from './responses.ts'
import type { StoredResponseRow } from './responses-store.ts'
import { sqlResponsesStore } from './responses-store.sql.ts'

const dialects = [
  { dialect: 'SQLite', postgresUrl: undefined },
  { dialect: 'PostgreSQL', postgresUrl: inject('postgresUrl') },
].filter(({ postgresUrl }) => postgresUrl !== '')

const work = { signal: undefined }
const day = 24 * 3_600_000_000

describe.each(dialects)('stored responses on $dialect', ({ postgresUrl }) => {
  let app: TrainingApp
  beforeAll(async () => {
    app = await startTrainingApp(postgresUrl === undefined ? {} : { postgresUrl })
  })
  afterAll(() => app.close())

  const aRow = (id: string, more: Partial<StoredResponseRow> = {}): StoredResponseRow => ({
    id,
    project_id: '',
    model_id: '',
    user_id: 'ada',
    sha256: randomUUID() as BlobDigest,
    size_bytes: 10,
    created_at: 0,
    ...more,
  })
  const referencesOf = async (id: string) =>
    (await app.database.selectFrom('blob_references').select('sha256').where('holder', '=', `response::${id}`).execute()).length

  test.each([
    ['more responses', { responses: 2, bytes: 1_000 }],
    ['more bytes', { responses: 100, bytes: 25 }],
  ])('of one owner than the limit (%s) replace the oldest, and none of anyone else', async (_what, limits) => {
    const store = sqlResponsesStore(app.database, limits)
    const [first, second, third, other] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    const user_id = randomUUID()
    await store.add(work, aRow(other, { user_id: `not-${user_id}` }))
    for (const [created_at, id] of [first, second, third].entries()) await store.add(work, aRow(id, { user_id, created_at }))
    const found = await Promise.all([first, second, third, other].map(async (id) => (await store.find(work, id))?.id))
    expect(found).toEqual([undefined, second, third, other])
    expect([await referencesOf(first), await referencesOf(second)]).toEqual([0, 1])
  })

  test('of a model that is gone are not added', async () => {
    await expect(sqlResponsesStore(app.database).add(work, aRow(randomUUID(), { model_id: randomUUID() }))).rejects.toMatchObject({
      status: 404,
    })
  })

  test('are deleted once', async () => {
    const store = sqlResponsesStore(app.database)
    const id = randomUUID()
    await store.add(work, aRow(id))
    expect([await store.delete(work, id), await store.delete(work, id), await referencesOf(id)]).toEqual([true, false, 0])
  })

  test('are swept after 30 days, however many there are', async () => {
    const store = sqlResponsesStore(app.database)
    const ids = Array.from({ length: 150 }, () => randomUUID())
    for (const id of ids) await store.add(work, aRow(id, { user_id: 'swept', created_at: 1 }))
    const kept = randomUUID()
    await store.add(work, aRow(kept, { user_id: 'swept', created_at: 40 * day }))
    const { sweep } = createResponses(app as never, {} as never)
    await sweep(41 * day, new AbortController().signal)
    const left = await app.database.selectFrom('model_responses').select('id').where('user_id', '=', 'swept').execute()
    expect(left).toEqual([{ id: kept }])
  })
})
