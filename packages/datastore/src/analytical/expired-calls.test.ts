import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aBlock, aCallRow, mergeParts, startTestStores, type TestStores } from '../testing/index.ts'
import { ownSql } from './sql.ts'
import { callsTable } from './tables/calls.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
})
afterAll(() => stores.close())

const micros = (time: string) => Date.parse(time) * 1000

test('expired calls leave the disk, and no others', async () => {
  const { analytical } = stores
  const rows = [
    aCallRow({ id: 'expired', expire_at: micros('2024-01-01'), inputs: '{"a":1}' }),
    aCallRow({ id: 'expired', expire_at: micros('2024-01-01'), version: 2n }),
    aCallRow({ id: 'live', expire_at: Date.now() * 1000 + 86_400_000_000 }),
    aCallRow({ id: 'for ever', expire_at: 0 }),
    aCallRow({ id: 'beyond 2106', expire_at: micros('2150-01-01') }),
    aCallRow({ id: 'beyond all times', expire_at: Number.MAX_SAFE_INTEGER }),
    aCallRow({ id: 'deleted', is_deleted: 1, has_start: 0 }),
  ]
  await analytical.insert(callsTable, aBlock(callsTable, ...rows))
  await mergeParts(analytical, 'calls')
  const left = await analytical.rows<{ id: string }>(ownSql('SELECT id FROM heddle.calls ORDER BY id'))
  expect(left.map(({ id }) => id)).toEqual(['beyond 2106', 'beyond all times', 'deleted', 'for ever', 'live'])
  const [parts] = await analytical.rows<{ rows: string }>(
    ownSql("SELECT sum(rows) AS rows FROM system.parts WHERE active AND database = 'heddle' AND table = 'calls'"),
  )
  expect(Number(parts?.rows)).toBe(5)
})

test('an expired call does not remove others of the same insert', async () => {
  const own = await startTestStores()
  const kept = Array.from({ length: 50 }, (_, index) => `kept ${String(index).padStart(2, '0')}`)
  const rows = [...kept.map((id) => aCallRow({ id, expire_at: 0 })), aCallRow({ id: 'expired', expire_at: micros('2024-01-01') })]
  await own.analytical.insert(callsTable, aBlock(callsTable, ...rows))
  const ids = async () => (await own.analytical.rows<{ id: string }>(ownSql('SELECT id FROM heddle.calls ORDER BY id'))).map(({ id }) => id)
  // The engine removes expired rows soon after they were inserted.
  await vi.waitFor(async () => expect(await ids()).not.toContain('expired'), { timeout: 60_000, interval: 200 })
  expect(await ids()).toEqual(kept)
  await own.close()
}, 120_000)
