import { readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { aBlock, aCallRow, mergeParts, startTestStores, type TestStores } from '../testing/index.ts'
import { migrateAnalytical } from './maintenance/migrate-analytical.ts'
import { partSettings } from './tables/part-settings.ts'
import { ownSql, sql } from './sql.ts'
import { callsTable } from './tables/calls.ts'
import { setTextIndex } from './text-index.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
})
afterAll(() => stores.close())

const change = (text: string) => stores.analytical.execute(ownSql(text))

interface FoundTable {
  name: string
  /** As in its definition. */
  settings: Record<string, string>
}

/** All tables that keep rows, whichever step made them. */
async function findTables(): Promise<FoundTable[]> {
  const found = await stores.analytical.rows<{ name: string; engine_full: string }>(
    sql`SELECT name, engine_full FROM system.tables WHERE database = 'heddle' AND engine LIKE '%MergeTree'`,
  )
  return found.map(({ name, engine_full }) => ({
    name,
    settings: Object.fromEntries((engine_full.split(' SETTINGS ')[1] ?? '').split(', ').map((pair) => pair.split(' = '))),
  }))
}

/** The files and folders that the engine has brought to disk since it started. */
async function readSyncs(): Promise<{ files: number; folders: number }> {
  const [row] = await stores.analytical.rows<{ files: number; folders: number }>(
    sql`SELECT toFloat64(sumIf(value, event = 'FileSync')) AS files, toFloat64(sumIf(value, event = 'DirectorySync')) AS folders FROM system.events`,
  )
  return row ?? { files: 0, folders: 0 }
}

/** The one part of a table that is in use, with the number of its files. */
async function onlyPart(table: string) {
  const parts = await stores.analytical.rows<{ path: string; type: string }>(
    ownSql(`SELECT path, part_type AS type FROM system.parts WHERE active AND database = 'heddle' AND table = '${table}'`),
  )
  expect(parts).toHaveLength(1)
  const [{ path, type } = { path: '', type: '' }] = parts
  return { path, type, files: readdirSync(path).length }
}

/** Does what makes one part of all that a table has, and says how many of its files were not synced. */
async function unsyncedFiles(table: string, work: () => Promise<void>) {
  const before = await readSyncs()
  await work()
  const after = await readSyncs()
  const { type, files } = await onlyPart(table)
  return { type, unsynced: Math.max(0, files - (after.files - before.files)), folderSyncs: after.folders - before.folders }
}

async function insertRow(table: string, project: string): Promise<void> {
  await change(`INSERT INTO heddle.${table} (project_id, version) SELECT '${project}', 1`)
}

/** A wide part of any table is written in the same way, with many more files. */
const wideTables = inject('long') ? undefined : ['calls']

test.each([
  { type: 'Compact', least: 1_000_000, only: undefined },
  { type: 'Wide', least: 0, only: wideTables },
])('inserts, merges and mutations sync each file of a part and its directory entry: $type', async ({ type, least, only }) => {
  const synced = { type, unsynced: 0, folderSyncs: expect.toSatisfy((count: number) => count > 0) }
  for (const name of only ?? (await findTables()).map((table) => table.name)) {
    await change(`ALTER TABLE heddle.${name} MODIFY SETTING min_bytes_for_wide_part = ${least}, min_rows_for_wide_part = 0`)
    await change(`TRUNCATE TABLE heddle.${name}`)
    expect(await unsyncedFiles(name, () => insertRow(name, 'kept')), `insert into ${name}`).toEqual(synced)
    await insertRow(name, 'deleted')
    expect(await unsyncedFiles(name, () => mergeParts(stores.analytical, name)), `merge of ${name}`).toEqual(synced)
    const mutate = () => change(`ALTER TABLE heddle.${name} DELETE WHERE project_id = 'deleted'`)
    expect(await unsyncedFiles(name, mutate), `mutation of ${name}`).toEqual(synced)
  }
})

test('every table syncs its parts and removes replaced ones within seconds, whichever migration created it', async () => {
  const asText = Object.fromEntries(Object.entries(partSettings).map(([name, value]) => [name, String(value)]))
  const tables = await findTables()
  expect(tables.map(({ name }) => name)).toContain('calls')
  for (const { name, settings } of tables) expect(settings, name).toMatchObject(asText)
  const names = Object.keys(partSettings).join(', ')
  // Tables of later migrations have always been made with them.
  const madeLater = new Set(['traces', 'usage', 'deleted_calls'])
  for (const { name } of tables) await change(`ALTER TABLE heddle.${name} RESET SETTING ${names}`)
  for (const { name, settings } of await findTables()) expect(settings, name).not.toHaveProperty('min_rows_to_fsync_after_merge')
  await stores.database.deleteFrom('analytical_migrations').where('name', '=', '0006-synced-parts').execute()
  await migrateAnalytical({ ...stores, kind: 'embedded', now: () => 1 })
  for (const { name, settings } of await findTables())
    if (!madeLater.has(name)) expect(settings, `${name} of an earlier version`).toMatchObject(asText)
})

test('where the engine does not sync all files of a part, a power cut leaves the parts that it replaced', async () => {
  const { analytical, engine } = stores
  await change('TRUNCATE TABLE heddle.calls')
  await setTextIndex({ ...stores, kind: 'embedded', isOn: true })
  const ids = ['first', 'second', 'third']
  for (const id of ids) {
    await analytical.insert(callsTable, aBlock(callsTable, aCallRow({ id, inputs: '{"a":"word"}' })))
    await analytical.rows(sql`SELECT 1 AS written`)
  }
  await mergeParts(analytical, 'calls')
  const { path } = await onlyPart('calls')
  const unsynced = readdirSync(path).filter((name) => name.startsWith('skp_idx_words_of_'))
  expect(unsynced.length).toBeGreaterThan(0)
  for (const name of unsynced) truncateSync(join(path, name), 0)
  process.kill(engine.pid ?? Number.NaN, 'SIGKILL')
  await expect.poll(() => engine.restarts).toBe(1)
  await engine.settled()
  expect(await analytical.rows(ownSql('SELECT id FROM heddle.calls FINAL ORDER BY id'))).toEqual(ids.map((id) => ({ id })))
})

test('with an index replaced parts are kept at every start, and without one they are not', async () => {
  const lifetime = async () => (await findTables()).find(({ name }) => name === 'calls')?.settings['old_parts_lifetime']
  const start = (isOn?: boolean) => setTextIndex({ ...stores, kind: 'embedded', isOn })
  await change('ALTER TABLE heddle.calls MODIFY SETTING old_parts_lifetime = 0')
  await start()
  expect(await lifetime()).toBe('480')
  await start(false)
  expect(await lifetime(), 'parts that were merged with the index may still be there').toBe('480')
  await start()
  expect(await lifetime()).toBe('0')
})
