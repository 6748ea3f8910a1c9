import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverWork } from '@heddle/datastore'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'
import type { NewVersion } from '../objects-store.ts'
import { publishIn } from './object-publication-store.sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('two new versions of one name in one transaction are refused, and neither is stored', async () => {
  const project_id = app.newProject()
  await app.client.objects.create({ obj: { project_id, object_id: 'thing', val: 1 } })
  const aVersion = (digest: string): NewVersion => ({
    object_id: 'thing',
    kind: 'object',
    digest,
    base_object_class: null,
    leaf_object_class: null,
    wb_user_id: 'someone',
    key_id: null,
    size_bytes: 1,
    at: 1_900_000_000_000_000,
  })
  const publish = (...digests: string[]) =>
    app.stores.database
      .of(serverWork)
      .transaction()
      .execute((transaction) => publishIn(transaction, project_id, digests.map(aVersion)))
  await expect(publish('first', 'second')).rejects.toMatchObject({ invariant: 'objects.one-new-version-a-name' })
  expect((await app.client.objects.query({ project_id })).objs).toMatchObject([{ version_index: 0 }])
  expect(await publish('first')).toEqual([{ status: 'published', version_index: 1 }])
})
