import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite, type RelationalStore, systemTiming } from '@heddle/datastore'
import { createJobs, sqlJobsStore } from '@heddle/jobs'
import type { ProjectScope } from '@heddle/identity'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasStoredWork } from './stored-work-store.sql.ts'

let folder: string
let database: RelationalStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-stored-work-'))
  database = await openSqlite(join(folder, 'heddle.db'))
})
afterEach(async () => {
  await database.destroy()
  await rm(folder, { recursive: true })
})

const log = { info: () => undefined, error: () => undefined }
const project = { id: 'local/p', signal: new AbortController().signal } as ProjectScope
const enqueue = (queue: string) =>
  createJobs({ store: sqlJobsStore({ database, queue }), clock: () => 1, timing: systemTiming, newId: () => 'job', log }).enqueue(project, {
    kind: 'sft',
    payload: {},
  })
const at = { project_id: 'local/p', created_at: 1 }
const content = { sha256: 'a', size_bytes: 1 }

test('a new store, and jobs of other queues, are no work of training', async () => {
  await enqueue('tracing')
  expect(await hasStoredWork(database)).toBe(false)
})

test.each<[string, () => Promise<unknown>]>([
  ['a job of its queue', () => enqueue('training')],
  [
    'a model',
    () =>
      database
        .insertInto('trained_models')
        .values({ ...at, id: 'm', name: 'm', base_model: 'b', created_by: 'ada' })
        .execute(),
  ],
  [
    'training data',
    () =>
      database
        .insertInto('training_data')
        .values({ ...at, ...content, name: 'd' })
        .execute(),
  ],
  [
    'an uploaded file',
    () =>
      database
        .insertInto('training_files')
        .values({ ...at, ...content, id: 'f', filename: 'f', kind: 'conversations', examples: 1, created_by: 'ada' })
        .execute(),
  ],
  [
    'an address for an upload',
    () => database.insertInto('artifact_uploads').values({ hash: 'h', project_id: 'local/p', expires_at: 2 }).execute(),
  ],
  [
    'a request that may be sent again',
    () =>
      database.insertInto('repeated_requests').values({ scope: 's', key: 'k', fingerprint: 'f', answer: '{}', created_at: 1 }).execute(),
  ],
  [
    'a response',
    () =>
      database
        .insertInto('model_responses')
        .values({ ...at, ...content, id: 'r', model_id: '', user_id: 'ada' })
        .execute(),
  ],
  ['a blob to be removed', () => database.insertInto('released_blobs').values({ sha256: 'a' }).execute()],
])('%s is', async (_what, store) => {
  await store()
  expect(await hasStoredWork(database)).toBe(true)
})
