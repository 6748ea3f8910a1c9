import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { s3Blobs, StoreError } from '@heddle/datastore'
import { openPostgres } from '@heddle/datastore/postgres'
import { newPostgresDatabase, openMemoryDatabase } from '@heddle/datastore/testing'
import { expect, inject, onTestFinished, test } from 'vitest'
import { healthRoutes } from './health-routes.ts'
import { type ServerHealthDeps, watchHealth } from './server-health.ts'

async function start(over: Partial<ServerHealthDeps['stores']> = {}) {
  const lines: [string, object][] = []
  const log = {
    info: (fields: object, message: string) => void lines.push([message, fields]),
    warn: (fields: object, message: string) => void lines.push([message, fields]),
  }
  const database = over.database ?? (await openMemoryDatabase())
  const health = watchHealth({
    stores: {
      database,
      analytical: { ping: async () => undefined },
      assertDiskSpace: async () => undefined,
      engineDownMs: () => 0,
      ...over,
    },
    log,
  })
  onTestFinished(() => health.stop())
  const get = async (path: string) => {
    const route = healthRoutes(health).find((each) => each.path === path && each.method === 'GET')
    const response = await route?.handle(new Request(`http://local${path}`), '')
    return [response?.status, await response?.json()]
  }
  return { health, lines, get }
}

const parts = { server: 'ready', 'relational database': 'ready', 'call store': 'ready', disk: 'ready' }

test('a server whose stores respond is alive and ready, and logs nothing', async () => {
  const { get, lines } = await start()
  expect(await get('/readyz')).toEqual([200, { status: 'ready', parts }])
  expect(await get('/livez')).toEqual([200, { status: 'ok' }])
  expect(lines).toEqual([])
})

test('a lost call store is named, logged once, and does not end the process', async () => {
  const { get, lines } = await start({
    analytical: { ping: async () => Promise.reject(new StoreError('unavailable', 'connect ENOENT /data/engine/engine.sock')) },
  })
  expect(await get('/readyz')).toEqual([503, { status: 'not ready', parts: { ...parts, 'call store': 'unavailable' } }])
  expect(await get('/livez')).toEqual([200, { status: 'ok' }])
  expect(lines).toEqual([['not ready', { part: 'call store', reason: 'unavailable', err: expect.any(StoreError) }]])
})

test('a bucket that is out of reach is named, without its address, and looked up again once its result is old', async () => {
  let status = 200
  const asked: string[] = []
  const blobs = s3Blobs({
    url: 'http://store.test/looms',
    region: 'r',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    prefix: '',
    stagingDir: tmpdir(),
    fetch: async (url) => {
      asked.push(String(url))
      return new Response(status === 200 ? JSON.stringify({ format: 1, store_id: randomUUID() }) : '<Code>AccessDenied</Code>', { status })
    },
  })
  const { health, get, lines } = await start()
  health.watchContents(blobs)
  expect(await get('/readyz')).toEqual([200, { status: 'ready', parts: { ...parts, 'content store': 'ready' } }])
  await get('/readyz')
  expect(asked).toEqual(['http://store.test/looms/store-id.json'])

  const other = await start()
  status = 403
  other.health.watchContents(blobs)
  const reason = 'failed; see the log of the server'
  expect(await other.get('/readyz')).toEqual([503, { status: 'not ready', parts: { ...parts, 'content store': reason } }])
  expect(lines).toEqual([])
  expect(other.lines).toMatchObject([['not ready', { part: 'content store', reason }]])
})

test.each([
  { isNeeded: true, status: 503, text: 'not ready' },
  { isNeeded: false, status: 200, text: 'ready' },
])(
  'a model engine that does not respond is named; where it is needed ($isNeeded) the server is $text',
  async ({ isNeeded, status, text }) => {
    const { health, get } = await start()
    let ok = false
    health.watchModelEngine({ health: async () => ({ ok, detail: { url: 'http://10.0.0.1' } }) }, { isNeeded })
    expect(await get('/readyz')).toEqual([status, { status: text, parts: { ...parts, 'model engine': 'unavailable' } }])
    ok = true
    const later = await start()
    later.health.watchModelEngine({ health: async () => ({ ok, detail: {} }) }, { isNeeded })
    expect(await later.get('/readyz')).toEqual([200, { status: 'ready', parts: { ...parts, 'model engine': 'ready' } }])
  },
)

test('a model engine names what does not respond, where it knows', async () => {
  const { health, get } = await start()
  const reason = 'the inference server does not answer'
  health.watchModelEngine({ health: async () => ({ ok: false, reason, detail: {} }) }, { isNeeded: false })
  expect(await get('/readyz')).toEqual([200, { status: 'ready', parts: { ...parts, 'model engine': reason } }])
})

test('a full disk is named', async () => {
  const { get } = await start({ assertDiskSpace: async () => Promise.reject(new StoreError('full', 'the disk of /data is full')) })
  expect(await get('/readyz')).toEqual([503, { status: 'not ready', parts: { ...parts, disk: 'disk full' } }])
})

test('a server that is shutting down is not ready', async () => {
  const { health, get, lines } = await start()
  health.stop()
  expect(await get('/readyz')).toEqual([503, { status: 'not ready', parts: { ...parts, server: 'shutting down' } }])
  expect(lines).toEqual([])
})

test('an engine that has not started for minutes is a reason to restart the process', async () => {
  const { get } = await start({ engineDownMs: () => 120_001 })
  expect(await get('/livez')).toEqual([503, { status: 'failed', reason: 'the embedded engine does not start' }])
})

test.skipIf(inject('postgresUrl') === '')('a relational database that is gone is named, without its address', async () => {
  const { url, drop } = await newPostgresDatabase(inject('postgresUrl'))
  const database = await openPostgres(url)
  onTestFinished(() => database.destroy())
  const { get } = await start({ database })
  await expect.poll(async () => (await get('/readyz'))[0]).toBe(200)
  await drop()
  await expect.poll(() => get('/readyz')).toMatchObject([503, { parts: { 'relational database': 'failed; see the log of the server' } }])
})
