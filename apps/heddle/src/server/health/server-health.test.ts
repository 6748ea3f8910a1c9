import { openPostgres, StoreError } from '@heddle/datastore'
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
  expect((await get('/readyz'))[0]).toBe(200)
  await drop()
  await expect.poll(() => get('/readyz')).toMatchObject([503, { parts: { 'relational database': 'failed; see the log of the server' } }])
})
