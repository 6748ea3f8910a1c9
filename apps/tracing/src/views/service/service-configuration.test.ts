import { sqlProjectLimitsStore } from '@heddle/identity'
import { createProjectLimiter } from '@heddle/service-kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('the configuration names hosts, redacted names and limits with what is in use', async () => {
  const outgoing = { allowed_hosts: ['10.0.0.0/8', 'models.internal:8000'], service_hosts: ['api.example.com:443'] }
  const store = { calls: 'embedded', records: 'sqlite', files: 'folder' } as const
  const server = await app.anotherServer({
    server: { store, outgoing, trainingLibrary: '/lib/libopenblas.so.0', readDisk: async () => null },
    ingest: { masksCredentials: true, spanConflicts: 'reject' },
    limits: { maxBodyBytes: 1_000_000 },
    publicLinks: false,
  })
  const configuration = await server.client.service.configuration()
  expect([configuration.outgoing, configuration.public_links]).toEqual([outgoing, false])
  expect(configuration.training_library).toBe('/lib/libopenblas.so.0')
  expect(configuration.ingest).toMatchObject({ masks_credentials: true, span_conflicts: 'reject' })
  expect(configuration.ingest.masked_names).toEqual(expect.arrayContaining(['*apikey', 'authorization']))
  expect(configuration.limits).toEqual(
    expect.arrayContaining([
      { name: 'request_bytes', limit: 1_000_000, used: null, setting: 'HEDDLE_MAX_REQUEST_BYTES' },
      { name: 'running_reads', limit: expect.any(Number) as number, used: 1, setting: null },
    ]),
  )
})

test('the limits of projects are named where the operator has set them', async () => {
  const server = await app.anotherServer({
    limiter: createProjectLimiter({
      store: sqlProjectLimitsStore(app.stores.database),
      serverLimits: { requests_per_minute: null, requests_per_minute_per_key: 600, ingested_bytes_per_day: null },
      sharesStore: false,
    }),
  })
  const { limits } = await server.client.service.configuration()
  expect(limits.filter(({ name }) => name.startsWith('project_'))).toEqual([
    { name: 'project_requests_per_minute_per_key', limit: 600, used: null, setting: 'HEDDLE_KEY_REQUESTS_PER_MINUTE' },
  ])
})

test('a server that masks nothing and was told of no hosts says so', async () => {
  const server = await app.anotherServer({ ingest: { masksCredentials: false, spanConflicts: 'keep' } })
  const { outgoing, ingest } = await server.client.service.configuration()
  expect([outgoing, ingest]).toEqual([null, { masks_credentials: false, masked_names: [], span_conflicts: 'keep' }])
})

test.each([
  { name: 'reader of all', role: 'reader' },
  { name: 'admin of one entity', role: 'admin', entity: 'test' },
] as const)('a key that is $name gets 403', async (key) => {
  const client = await app.clientFor(key)
  await expect(client.service.configuration()).rejects.toMatchObject({ status: 403 })
})
