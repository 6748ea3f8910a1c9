import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBlock, aCallRow, startTestStores, type TestStores } from '../../testing/index.ts'
import { bind, ownSql, sql } from '../sql.ts'
import { callsTable } from '../tables/calls.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
})
afterAll(() => stores.close())

/** Rows of each granule of the only part of a table, on average. */
async function rowsOfGranule(table: string): Promise<number> {
  const parts = await stores.analytical.rows<{ rows: number; marks: number }>(
    sql`SELECT toFloat64(rows) AS rows, toFloat64(marks) AS marks FROM system.parts WHERE active AND database = 'heddle' AND table = ${bind('String', table)}`,
  )
  expect(parts).toHaveLength(1)
  const [{ rows, marks }] = parts as [{ rows: number; marks: number }]
  // The last mark ends the part.
  return rows / (marks - 1)
}

const text = 'x'.repeat(16_384)

test.each([
  { of: 'small calls end after 512 rows', inputs: '{}', least: 512, most: 512 },
  { of: 'calls of 16 KB end after a megabyte', inputs: JSON.stringify({ text }), least: 48, most: 64 },
])('granules of $of', async ({ inputs, least, most }) => {
  await stores.analytical.execute(ownSql('TRUNCATE TABLE heddle.calls'))
  const rows = Array.from({ length: 512 }, (_, index) => aCallRow({ id: `call ${index}`, inputs }))
  await stores.analytical.insert(callsTable, aBlock(callsTable, ...rows))
  const found = await rowsOfGranule('calls')
  expect(found).toBeGreaterThanOrEqual(least)
  expect(found).toBeLessThanOrEqual(most)
})

test('tables whose definition names no bytes of a granule have the same ones', async () => {
  const { analytical } = stores
  await analytical.execute(
    ownSql('CREATE TABLE heddle.before (id String, inputs String) ENGINE = ReplacingMergeTree ORDER BY id SETTINGS index_granularity=512'),
  )
  await analytical.execute(ownSql("INSERT INTO heddle.before SELECT toString(number), repeat('x', 16384) FROM numbers(512)"))
  expect(await rowsOfGranule('before')).toBeLessThanOrEqual(64)
})
