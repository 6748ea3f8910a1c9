import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('the storage is what the server says of its data folder, and not known where it says nothing', async () => {
  const storage = {
    parts: [{ name: 'calls', bytes: 12 }],
    is_complete: false,
    last_backup: { ended_at: '2026-01-01T00:00:00Z', bytes: 9 },
  } as const
  const store = { calls: 'embedded', records: 'sqlite', files: 'folder' } as const
  const server = await app.anotherServer({
    server: { store, readDisk: async () => null, readStorage: async () => ({ ...storage, parts: [...storage.parts] }) },
  })
  expect(await server.client.service.storage()).toEqual(storage)
  const silent = await app.anotherServer({})
  expect(await silent.client.service.storage()).toEqual({ parts: null, is_complete: true, last_backup: null })
})

test.each([
  { name: 'reader of all', role: 'reader' },
  { name: 'admin of one entity', role: 'admin', entity: 'test' },
] as const)('a key that is $name gets 403', async (key) => {
  const client = await app.clientFor(key)
  await expect(client.service.storage()).rejects.toMatchObject({ status: 403 })
})
