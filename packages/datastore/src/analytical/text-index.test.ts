import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBlock, aCallRow, startTestStores, type TestStores } from '../testing/index.ts'
import { ownSql, sql } from './sql.ts'
import { callsTable } from './tables/calls.ts'
import { setTextIndex, textIndexChanges } from './text-index.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
  await stores.analytical.insert(callsTable, aBlock(callsTable, aCallRow({ id: 'before', inputs: '{"a":"needle"}' })))
  await stores.analytical.rows(sql`SELECT 1 AS one`)
})
afterAll(() => stores.close())

const set = (isOn: boolean) => setTextIndex({ ...stores, kind: 'embedded', isOn })
const indexes = () =>
  stores.analytical.rows(ownSql("SELECT name FROM system.data_skipping_indices WHERE table = 'calls' AND type = 'text' ORDER BY name"))
const indexedParts = async () => {
  const [row] = await stores.analytical.rows<{ parts: number }>(
    ownSql(
      "SELECT toFloat64(countIf(secondary_indices_marks_bytes > 0)) AS parts FROM system.parts WHERE active AND table = 'calls' AND rows > 0",
    ),
  )
  return row?.parts
}
const withNeedle = () => stores.analytical.rows(ownSql("SELECT id FROM heddle.calls FINAL WHERE inputs LIKE '%needle%' ORDER BY id"))

test('it is created once, covers rows from before and after, and is removed again', async () => {
  await Promise.all([set(true), set(true)])
  expect(await indexes()).toEqual([{ name: 'words_of_inputs' }, { name: 'words_of_output' }])
  await stores.analytical.insert(callsTable, aBlock(callsTable, aCallRow({ id: 'since', inputs: '{"b":"needles"}' })))
  await stores.analytical.insert(callsTable, aBlock(callsTable, aCallRow({ id: 'without', inputs: '{"b":"hay"}' })))
  expect(await withNeedle()).toEqual([{ id: 'before' }, { id: 'since' }])
  expect(await indexedParts()).toBeGreaterThan(0)
  await set(false)
  await set(false)
  expect(await indexes()).toEqual([])
  expect(await withNeedle()).toEqual([{ id: 'before' }, { id: 'since' }])
})

test('in a cluster the rows of every shard are indexed', () => {
  expect(textIndexChanges('replicated', 'inputs')).toEqual({
    name: 'words_of_inputs',
    add: "ALTER TABLE heddle.calls_local ON CLUSTER '{cluster}' ADD INDEX IF NOT EXISTS words_of_inputs inputs TYPE text(tokenizer = splitByNonAlpha)",
    fill: "ALTER TABLE heddle.calls_local ON CLUSTER '{cluster}' MATERIALIZE INDEX words_of_inputs",
    remove: "ALTER TABLE heddle.calls_local ON CLUSTER '{cluster}' DROP INDEX IF EXISTS words_of_inputs",
  })
})
