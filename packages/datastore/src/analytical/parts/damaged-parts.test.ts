import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBlock, aCallRow, mergeParts, startTestStores, type TestStores } from '../../testing/index.ts'
import { StoreError } from '../../work/store-error.ts'
import { sql } from '../sql.ts'
import { toStoreError } from '../store-failure.ts'
import { callsTable } from '../tables/calls.ts'
import { checkAllParts, detachPart } from './check-parts.ts'

const rows = 40
let stores: TestStores
let data: string
let part: string
const met: string[] = []

beforeAll(async () => {
  stores = await startTestStores({ onDamage: ({ message }) => void met.push(message) })
  const ids = Array.from({ length: rows }, (_, at) => `call-${at}`)
  await Promise.all(ids.map((id) => stores.analytical.insert(callsTable, aBlock(callsTable, aCallRow({ project_id: 'dam/aged', id })))))
  await stores.analytical.rows(sql`SELECT 1`)
  await mergeParts(stores.analytical, 'calls')
  const folder = join(stores.dataDir, 'store', 'data', 'heddle', 'calls')
  const [found] = await stores.analytical.rows<{ name: string }>(sql`SELECT name FROM system.parts WHERE active AND table = 'calls'`)
  part = found?.name ?? ''
  expect(readdirSync(folder)).toContain(part)
  data = join(folder, part, 'data.bin')
})
afterAll(() => stores.close())

/** Reads everything while the data of the part is as `damage` makes it. */
async function whileDamaged<T>(damage: (bytes: Buffer) => Buffer | undefined, work: () => Promise<T>): Promise<T> {
  const bytes = readFileSync(data)
  const damaged = damage(Buffer.from(bytes))
  if (damaged) writeFileSync(data, damaged)
  else rmSync(data)
  try {
    return await work()
  } finally {
    writeFileSync(data, bytes)
  }
}

async function toArray<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const readAll = () => stores.analytical.rows(sql`SELECT * FROM calls`)
const checked = async () => (await toArray(checkAllParts(stores.analytical.stored))).filter(({ table }) => table === 'calls')

describe.each<[string, (bytes: Buffer) => Buffer | undefined]>([
  ['a flipped bit', (bytes) => bytes.fill((bytes[40] ?? 0) ^ 1, 40, 41)],
  ['a wrong header of compression', (bytes) => bytes.fill(0xff, 0, 20)],
  ['half of its data', (bytes) => bytes.subarray(0, bytes.length / 2)],
  ['no data', () => Buffer.alloc(0)],
])('a part with %s', (_, damage) => {
  test('fails the queries that read it with its name, its table and the way out', async () => {
    met.length = 0
    const failure = await whileDamaged(damage, () => readAll().catch((error: unknown) => error))
    expect(failure).toMatchObject({
      kind: 'damaged',
      message: expect.stringMatching(new RegExp(`^part ${part} of table calls is damaged \\(.*heddle doctor --repair`)),
    })
    expect(String(failure)).not.toContain('/')
    expect(met).toEqual([(failure as StoreError).message])
    expect(await readAll()).toHaveLength(rows)
  })

  test('is found by the check of the engine', async () => {
    expect(await checked()).toMatchObject([{ part, reason: undefined }])
    expect(await whileDamaged(damage, checked)).toMatchObject([{ table: 'calls', part, reason: expect.any(String) }])
  })
})

test('whatever byte of the data is changed, a query of everything finds all rows or says damage', async () => {
  const before = await readAll()
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0, max: 0.9999, noNaN: true }), fc.integer({ min: 1, max: 255 }), async (share, mask) => {
      const at = Math.floor(readFileSync(data).length * share)
      const outcome = await whileDamaged(
        (bytes) => bytes.fill((bytes[at] ?? 0) ^ mask, at, at + 1),
        () => readAll().catch((error: unknown) => error),
      )
      if (outcome instanceof StoreError) expect(outcome).toMatchObject({ kind: 'damaged' })
      else expect(outcome).toEqual(before)
    }),
    { numRuns: trials({ usual: 10, long: 300 }) },
  )
}, 300_000)

test('a damaged part that is set aside keeps its files, and the rest is read', async () => {
  const own = await startTestStores()
  const write = (id: string, started_at: number) =>
    own.analytical.insert(callsTable, aBlock(callsTable, aCallRow({ project_id: 'dam/aged', id, started_at })))
  await Promise.all([write('kept', Date.UTC(2026, 0, 1) * 1_000), write('damaged', Date.UTC(2026, 1, 1) * 1_000)])
  await own.analytical.rows(sql`SELECT 1`)
  const table = join(own.dataDir, 'store', 'data', 'heddle', 'calls')
  const folder = readdirSync(table).find((name) => name.startsWith('202602_')) ?? ''
  writeFileSync(join(table, folder, 'data.bin'), 'damaged')
  for (const each of await toArray(checkAllParts(own.analytical.stored)))
    if (each.reason !== undefined) await detachPart(own.analytical, each)
  expect(await own.analytical.rows(sql`SELECT id FROM calls`)).toEqual([{ id: 'kept' }])
  expect(readdirSync(join(table, 'detached', folder))).toContain('data.bin')
  await own.close()
})

test.each([
  [
    'a value that a query converts',
    "Code: 32. DB::Exception: Attempted to read after eof: while converting '' to UInt32: (while reading from part /d/store/1/202602_1_1_0/ in table heddle.calls (u) located on disk default)",
    'data',
  ],
  [
    'a query that needs too much memory',
    'Code: 241. DB::Exception: memory: (while reading column inputs): (while reading from part /d/202602_1_1_0/ in table heddle.calls (u))',
    'memory',
  ],
  ['a checksum in another place', 'Code: 40. DB::Exception: Checksum does not match: corrupted data', 'damaged'],
])('%s is told apart', (_, message, kind) => {
  expect(toStoreError(new Error(message)).kind).toBe(kind)
})
