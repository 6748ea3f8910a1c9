import { trials } from '@heddle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBlock, aCallRow, startTestStores, type TestStores } from '../../testing/index.ts'
import { ownSql, sql } from '../sql.ts'
import { sweepTombstones } from './sweep-tombstones.ts'
import { type CallRow, callsTable } from '../tables/calls.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
  await stopMerges()
})
afterAll(() => stores.close())

/** Keeps the engine from removing older versions before a sweep does: no part is small enough for a merge. Mutations continue. */
async function stopMerges(): Promise<void> {
  const limits = 'max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1'
  await stores.analytical.execute(ownSql(`ALTER TABLE heddle.calls MODIFY SETTING ${limits}`))
}

/** Writes rows as parts of their own: within one, the engine keeps only the last of a key. */
async function write(...rows: Partial<CallRow>[]): Promise<void> {
  for (const row of rows) {
    await stores.analytical.insert(callsTable, aBlock(callsTable, aCallRow(row)))
    await stores.analytical.rows(sql`SELECT count() FROM heddle.calls`)
  }
}

const tombstonesAtOnce = trials({ usual: 100, long: 1_000 })
const sweep = () => sweepTombstones({ analytical: stores.analytical, table: callsTable })

async function versionsOf(id: string): Promise<string[]> {
  const rows = await stores.analytical.rows<{ row: string }>(
    sql`SELECT concat(project_id, ' ', toString(version), if(is_deleted = 1, ' ended', '')) AS row FROM heddle.calls WHERE id = ${{ type: 'String', value: id }} ORDER BY row`,
  )
  return rows.map(({ row }) => row)
}

test('of an ended row only the tombstone is left, whatever came before', async () => {
  await write({ id: 'ended', version: 1n }, { id: 'ended', version: 2n }, { id: 'ended', version: 3n, is_deleted: 1 })
  expect((await sweep()).deleted).toBeGreaterThan(0)
  expect(await versionsOf('ended')).toEqual(['entity/project 3 ended'])
  expect(await sweep()).toEqual({ deleted: 0 })
})

test('live rows stay, also after a tombstone, with another time and in another project', async () => {
  await write(
    { id: 'again', version: 1n },
    { id: 'again', version: 2n, is_deleted: 1 },
    { id: 'again', version: 3n },
    { id: 'again', version: 1n, project_id: 'entity/other' },
    { id: 'again', version: 1n, started_at: 1_800_000_000_000_000 },
  )
  await sweep()
  const living = (await versionsOf('again')).filter((row) => !row.endsWith('ended'))
  expect(living).toEqual(['entity/other 1', 'entity/project 1', 'entity/project 3'])
})

test('all of many ended rows go in one sweep, in as many parts as their number takes, also where all have one version', async () => {
  const ids = Array.from({ length: 2 * tombstonesAtOnce }, (_, index) => `many-${index}`)
  const written = (changes: Partial<CallRow>) =>
    stores.analytical.insert(callsTable, aBlock(callsTable, ...ids.map((id) => aCallRow({ id, ...changes }))))
  await written({ version: 5n })
  await stores.analytical.rows(sql`SELECT count() FROM heddle.calls`)
  await written({ version: 6n, is_deleted: 1 })
  await stores.analytical.rows(sql`SELECT count() FROM heddle.calls`)
  await write({ id: 'kept', version: 5n })
  const rowsAtOnce = tombstonesAtOnce * 0.9
  const swept = await sweepTombstones({ analytical: stores.analytical, table: callsTable, rowsAtOnce, tombstonesAtOnce })
  expect(swept.deleted).toBe(ids.length)
  for (const id of ['many-0', `many-${ids.length - 1}`]) expect(await versionsOf(id)).toEqual(['entity/project 6 ended'])
  expect(await versionsOf('kept')).toEqual(['entity/project 5'])
  expect(await sweep()).toEqual({ deleted: 0 })
})

test('ended rows of many projects go by one statement, which rewrites each part once', async () => {
  await sweep()
  const projects = ['one', 'two', 'three'].map((name) => `entity/${name}`)
  await write(...projects.map((project_id) => ({ id: 'theirs', version: 1n, project_id })))
  await write(...projects.map((project_id) => ({ id: 'theirs', version: 2n, is_deleted: 1, project_id })))
  const { rows, deleteRows } = stores.analytical
  let statements = 0
  const counting = { rows, deleteRows: (...deletion: Parameters<typeof deleteRows>) => (statements++, deleteRows(...deletion)) }
  expect([await sweepTombstones({ analytical: counting, table: callsTable }), statements]).toEqual([{ deleted: 3 }, 1])
  expect(await versionsOf('theirs')).toEqual(projects.map((project_id) => `${project_id} 2 ended`).toSorted())
})

test('a sweep that is told to stop ends after the statement under way', async () => {
  await write({ id: 'stays', version: 1n }, { id: 'stays', version: 2n, is_deleted: 1 })
  const aborted = AbortSignal.abort()
  expect(await sweepTombstones({ analytical: stores.analytical, table: callsTable, signal: aborted })).toEqual({ deleted: 0 })
  expect(await sweep()).toEqual({ deleted: 1 })
})
