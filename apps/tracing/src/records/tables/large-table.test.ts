import { createHash } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { trials } from '@heddle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '../../testing/start-test-app.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** A multiple of 12. */
const rowCount = trials({ usual: 12_000, long: 1_008_000 })
const pieceRows = 10_000
/** What client and server together may hold of the table while it is streamed, beside what they hold without it; its rows are 250 MB. */
const mostHeldBytes = 80 * 1024 * 1024

let app: TestApp
let client: TestClient
let project_id: string
let digest: string
let row_digests: string[]
beforeAll(async () => {
  app = await startTestApp()
  client = app.client
  project_id = app.newProject()
  row_digests = []
  for (let start = 0; start < rowCount; start += pieceRows) {
    const rows = Array.from({ length: Math.min(pieceRows, rowCount - start) }, (_, at) => rowAt(start + at))
    row_digests.push(...(await client.tables.create({ table: { project_id, rows } })).row_digests)
  }
  digest = (await client.tables.createFromDigests({ project_id, row_digests })).digest
}, 900_000)
afterAll(() => app.close())

const rowAt = (index: number) => ({
  index,
  rank: (index * 7_919) % rowCount,
  question: `What is ${index} plus ${index * 7}? `.repeat(4),
  tags: ['a', 'b'],
})
const page = async (offset: number, limit: number, more: object = {}) =>
  (await client.tables.query({ project_id, digest, offset, limit, ...more })).rows.map(({ val }) => (val as { index: number }).index)
const from = (start: number, count: number) => Array.from({ length: count }, (_, at) => start + at)

test('a large table has the digest of its rows and counts them', async () => {
  expect(digest).toBe(createHash('sha256').update(row_digests.join('')).digest('hex'))
  expect(await client.tables.queryStats({ project_id, digest })).toEqual({ count: rowCount })
}, 120_000)

test('pages of it are the same wherever they lie', async () => {
  for (const offset of [0, 1, 999, 1_000, 1_001, rowCount >> 1, rowCount - 100, rowCount - 1])
    expect(await page(offset, 100)).toEqual(from(offset, Math.min(100, rowCount - offset)))
  expect(await page(rowCount, 100)).toEqual([])
}, 120_000)

test('it is sorted, also deep in the order', async () => {
  const ranks = from(0, rowCount).toSorted((one, other) => ((other * 7_919) % rowCount) - ((one * 7_919) % rowCount) || one - other)
  const sort_by = [{ field: 'rank', direction: 'desc' as const }]
  for (const offset of [0, rowCount - 50]) expect(await page(offset, 50, { sort_by })).toEqual(ranks.slice(offset, offset + 50))
}, 120_000)

test('rows are found by their digests', async () => {
  const wanted = [5, rowCount - 1, rowCount >> 1]
  const filter = { row_digests: wanted.map((index) => row_digests[index] ?? '') }
  expect(await page(0, 10, { filter })).toEqual(wanted.toSorted((one, other) => one - other))
}, 120_000)

/** Bytes in use, without what is only waiting to be collected. */
function heldBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('all of it is streamed in order, and little of it is held', async () => {
  const before = heldBytes()
  let largest = 0
  let expected = 0
  for await (const { val, original_index } of client.tables.queryStream({ project_id, digest })) {
    if ((val as { index: number }).index !== expected || original_index !== expected) throw new Error(`row ${expected} is another one`)
    if (++expected % (rowCount / 12) === 500) largest = Math.max(largest, heldBytes() - before)
  }
  expect(expected).toBe(rowCount)
  expect(largest).toBeLessThan(mostHeldBytes)
}, 600_000)

test('a reader who stops ends the reading', async () => {
  let read = 0
  for await (const _ of client.tables.queryStream({ project_id, digest })) if (++read === 150) break
  expect(read).toBe(150)
  expect(await page(10, 1)).toEqual([10])
}, 120_000)

test('an update of it is a table of its own, and both share their rows', async () => {
  const updated = await client.tables.update({
    project_id,
    base_digest: digest,
    updates: [{ pop: { index: rowCount >> 1 } }, { append: { row: { index: -1 } } }],
  })
  expect(updated.updated_row_digests[0]).toBe(row_digests[rowCount >> 1])
  const { rows } = await client.tables.query({ project_id, digest: updated.digest, offset: (rowCount >> 1) - 1, limit: 2 })
  expect(rows.map(({ val }) => (val as { index: number }).index)).toEqual([(rowCount >> 1) - 1, (rowCount >> 1) + 1])
  const { tables } = await client.tables.queryStatsBatch({ project_id, digests: [digest, updated.digest], include_storage_size: true })
  expect(tables.map(({ count }) => count)).toEqual([rowCount, rowCount])
  expect(new Set(tables.map(({ storage_size_bytes }) => storage_size_bytes)).size).toBe(2)
}, 120_000)
