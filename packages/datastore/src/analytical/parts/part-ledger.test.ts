import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { processLock } from '../../locks/process-lock.ts'
import { openSqlite } from '../../relational/database.ts'
import { aBlock, aCallRow, engineEntry, mergeParts } from '../../testing/index.ts'
import { systemTiming } from '../../timing.ts'
import { type BatchLimits, createClickHouseStore } from '../clickhouse-store.ts'
import { startEngine } from '../engine/engine.ts'
import { migrateAnalytical } from '../maintenance/migrate-analytical.ts'
import { bind, sql } from '../sql.ts'
import { callsTable } from '../tables/calls.ts'
import { createPartLedger, readLostParts } from './part-ledger.ts'

const project_id = 'led/ger'
const monthMicros = 31 * 86_400e6
const firstMicros = Date.UTC(2026, 0, 15) * 1_000

/** Stores over a folder, with a ledger that has checked it. Created again for each, as at a start. */
async function start(dataDir: string, batching: BatchLimits = {}) {
  const engine = await startEngine({ entry: engineEntry, dataDir, memoryLimitBytes: 1e9 })
  const analytical = createClickHouseStore({ target: { engine }, timing: systemTiming, batching, onWritten: () => ledger.noteSoon() })
  const ledger = createPartLedger({ analytical, folder: dataDir, now: () => Date.now() / 1_000 })
  const damage = await ledger.check()
  const end = async () => {
    await ledger.close()
    await analytical.close()
    await engine.stop()
  }
  return { analytical, damage, end, kill: () => engine.stop() }
}

type Started = Awaited<ReturnType<typeof start>>

/** Calls in the month of this number, as one part. */
async function writeMonth({ analytical }: Started, month: number, ids: readonly string[]): Promise<void> {
  const started_at = firstMicros + month * monthMicros
  await Promise.all(ids.map((id) => analytical.insert(callsTable, aBlock(callsTable, aCallRow({ project_id, id, started_at })))))
  await analytical.rows(sql`SELECT 1`)
}

/** Folders of all parts of the calls. */
async function foldersOf({ analytical }: Started): Promise<string[]> {
  const [found] = await analytical.rows<{ path: string }>(
    sql`SELECT path FROM system.parts WHERE active AND table = 'calls' AND database = currentDatabase() LIMIT 1`,
  )
  const folder = dirname((found?.path ?? '').replace(/\/$/, ''))
  return readdirSync(folder).map((name) => join(folder, name))
}

async function makeTables({ analytical }: Started, dataDir: string): Promise<void> {
  const database = await openSqlite(join(dataDir, 'heddle.db'))
  await migrateAnalytical({ analytical, database, locks: processLock(), kind: 'embedded', now: () => Date.now() * 1_000 })
  await database.destroy()
}

test.each(inject('long') ? [0, 1, 5, 60] : [5])(
  'parts that are gone are reported also when %i acknowledged rows wait in the journal, and these are written afterwards',
  async (pending) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'heddle-ledger-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const first = await start(dataDir)
    await makeTables(first, dataDir)
    for (let part = 0; part < 4; part++)
      await writeMonth(
        first,
        0,
        Array.from({ length: 5 }, (_, at) => `lost-${part}-${at}`),
      )
    await first.end()

    const second = await start(dataDir, { lingerMs: 3_600_000 })
    const waiting = Array.from({ length: pending }, (_, at) => aCallRow({ project_id, id: `waiting-${at}`, started_at: firstMicros }))
    await Promise.all(waiting.map((row) => second.analytical.insert(callsTable, aBlock(callsTable, row))))
    await second.kill()
    for (const path of partFoldersIn(dataDir)) rmSync(path, { recursive: true })

    const third = await start(dataDir)
    const missing = third.damage.lost.reduce((sum, { rows }) => sum + rows, 0)
    const found = await third.analytical.rows<{ id: string }>(
      sql`SELECT id FROM calls FINAL WHERE project_id = ${bind('String', project_id)} ORDER BY id`,
    )
    await third.end()
    expect(missing).toBe(20)
    expect(found).toHaveLength(pending)
    expect((await readLostParts(dataDir)).reduce((sum, { rows }) => sum + rows, 0)).toBe(20)
  },
  120_000,
)

/** Folders of the parts of the calls, of a stopped engine. */
function partFoldersIn(dataDir: string): string[] {
  const table = join(dataDir, 'store', 'data', 'heddle', 'calls')
  return readdirSync(table)
    .filter((name) => /^\d{6}_/.test(name))
    .map((name) => join(table, name))
}

test('merged, deleted or emptied parts are not reported; a missing part is reported once, and a damaged one at each start', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-ledger-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const first = await start(dataDir)
  expect(first.damage).toEqual({ detached: [], lost: [] })
  await makeTables(first, dataDir)
  for (const [month, ids] of [['a', 'b'], ['c', 'd', 'e'], ['f'], ['g', 'h']].entries()) await writeMonth(first, month, ids)
  await writeMonth(first, 0, ['i'])
  await first.end()

  const second = await start(dataDir)
  expect(second.damage).toEqual({ detached: [], lost: [] })
  await mergeParts(second.analytical, 'calls')
  await second.analytical.deleteRows(callsTable, sql`id = 'f'`)
  await second.end()

  const third = await start(dataDir)
  expect(third.damage).toEqual({ detached: [], lost: [] })
  const folders = await foldersOf(third)
  await third.end()
  // Of both months all files, also those of parts that were merged: the engine would fall back on these.
  for (const path of folders.filter((each) => each.includes('/202602_'))) rmSync(path, { recursive: true })
  for (const path of folders.filter((each) => each.includes('/202604_'))) rmSync(join(path, 'columns.txt'))

  const fourth = await start(dataDir)
  expect(fourth.damage.lost).toMatchObject([{ table: 'calls', rows: 3 }])
  expect(fourth.damage.detached.length).toBeGreaterThan(0)
  for (const part of fourth.damage.detached)
    expect(part).toMatchObject({ table: 'calls', reason: 'broken-on-start', partition: '202604', missingRows: 2 })
  expect(readdirSync(fourth.damage.detached[0]?.path ?? '')).toContain('checksums.txt')
  const left = await fourth.analytical.rows<{ id: string }>(
    sql`SELECT id FROM calls FINAL WHERE project_id = ${bind('String', project_id)} ORDER BY id`,
  )
  expect(left.map(({ id }) => id)).toEqual(['a', 'b', 'i'])
  await fourth.end()

  const fifth = await start(dataDir)
  expect(fifth.damage).toMatchObject({ detached: fourth.damage.detached.map(({ path }) => ({ path })), lost: [] })
  await fifth.end()
  expect(await readLostParts(dataDir)).toMatchObject([{ table: 'calls', rows: 3 }])
}, 120_000)
