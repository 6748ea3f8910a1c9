import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestStores, type TestStores } from '../testing/index.ts'
import { systemTiming } from '../timing.ts'
import type { Analytical } from './analytical.ts'
import { createClickHouseStore } from './clickhouse-store.ts'
import { sql } from './sql.ts'

const patience = { timeout: 60_000 }

let stores: TestStores
let reader: Analytical
beforeAll(async () => {
  stores = await startTestStores({ engine: {} })
  const { engine } = stores
  reader = createClickHouseStore({ target: { engine }, writes: 'direct', timing: systemTiming, patience: { idleMs: 100, pingMs: 2_000 } })
})
afterAll(async () => {
  await reader.close()
  await stores.close()
})

async function readBlocks(): Promise<void> {
  for await (const block of reader.blocks(sql`SELECT 1`)) void block
}

test('a frozen engine fails reads long before their own limit, and serves them again when it continues', { timeout: 120_000 }, async () => {
  const pid = stores.engine.pid!
  const frozen = { name: 'StoreError', kind: 'unavailable', message: expect.stringContaining('does not respond') as string }
  await expect.poll(() => reader.rows(sql`SELECT 1 AS one`).catch(() => []), patience).toEqual([{ one: 1 }])
  process.kill(pid, 'SIGSTOP')
  try {
    await Promise.all([
      expect(reader.rows(sql`SELECT 1`)).rejects.toMatchObject(frozen),
      expect(readBlocks()).rejects.toMatchObject(frozen),
    ])
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await expect.poll(() => reader.rows(sql`SELECT 1 AS one`).catch(() => []), patience).toEqual([{ one: 1 }])
  expect([stores.engine.pid, stores.engine.restarts]).toEqual([pid, 0])
})

test(
  'an engine that works on a slow statement gives signs of life, so the statement keeps its own limit',
  { timeout: 120_000 },
  async () => {
    const patient = createClickHouseStore({
      target: { engine: stores.engine },
      writes: 'direct',
      timing: systemTiming,
      patience: { idleMs: 50, pingMs: 30_000 },
    })
    expect(await patient.rows(sql`SELECT sleep(2) AS slept`)).toEqual([{ slept: 0 }])
    await patient.close()
  },
)
