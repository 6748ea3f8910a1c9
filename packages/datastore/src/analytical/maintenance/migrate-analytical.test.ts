import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { aBlock, aCallRow, startTestStores, type TestStores } from '../../testing/index.ts'
import { migrateAnalytical } from './migrate-analytical.ts'
import { ownSql, sql } from '../sql.ts'
import { callsTable } from '../tables/calls.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
})
afterAll(() => stores.close())

const steps = [
  '0001-calls-and-object-values',
  '0002-tables',
  '0003-feedback',
  '0004-time-of-calls-that-stay',
  '0005-usage-of-calls',
  '0006-synced-parts',
  '0007-lean-index-of-rows',
  '0008-shared-leaves',
  '0009-columns-of-results',
  '0010-evaluation-of-trials',
  '0011-spans-of-calls',
  '0012-kinds-of-calls',
  '0013-traces-and-usage',
]
const migrate = (given: TestStores) => migrateAnalytical({ ...given, kind: 'embedded', now: () => 5 })
const tables = (given: TestStores) => given.analytical.rows(sql`SELECT name FROM system.tables WHERE database = 'heddle' ORDER BY name`)

test('each migration is applied once and recorded', async () => {
  await migrate(stores)
  const applied = await stores.database.selectFrom('analytical_migrations').selectAll().execute()
  expect(applied.map((row) => row.name)).toEqual(steps)
  expect(applied[0]?.applied_at).toBeGreaterThan(5)
  expect(await tables(stores)).toEqual(
    ['calls', 'feedback', 'object_values', 'table_rows', 'tables', 'traces', 'usage'].map((name) => ({ name })),
  )
})

test('a migration that was interrupted before it was recorded runs again', async () => {
  await stores.database.deleteFrom('analytical_migrations').execute()
  await Promise.all([migrate(stores), migrate(stores), migrate(stores)])
  expect(await stores.database.selectFrom('analytical_migrations').selectAll().execute()).toEqual(
    steps.map((name) => ({ name, applied_at: 5 })),
  )
})

test('data of a newer version is refused with a reason and not changed', async () => {
  const own = await startTestStores()
  await own.database.insertInto('analytical_migrations').values({ name: '9999-later', applied_at: 1 }).execute()
  await own.database.deleteFrom('analytical_migrations').where('name', '=', '0003-feedback').execute()
  await expect(migrate(own)).rejects.toThrow(/written by a newer version of Heddle \(its step "9999-later"/)
  expect(await own.database.selectFrom('analytical_migrations').select('name').execute()).toHaveLength(steps.length)
  await own.close()
})

test.skipIf(inject('postgresUrl') === '')('the record may be kept in PostgreSQL', async () => {
  const own = await startTestStores({ postgresUrl: inject('postgresUrl') })
  expect(await own.database.selectFrom('analytical_migrations').select('name').orderBy('name').execute()).toEqual(
    steps.map((name) => ({ name })),
  )
  expect(await tables(own)).toHaveLength(7)
  await own.close()
})

test('a store of the first schema counts calls that never expire after the migration, including existing ones', async () => {
  const own = await startTestStores()
  const first = 'toDateTime(expire_at)'
  await own.analytical.execute(ownSql(`ALTER TABLE heddle.calls MODIFY TTL ${first}`))
  await own.analytical.insert(callsTable, aBlock(callsTable, aCallRow({ id: 'there before', expire_at: 0 })))
  await own.database.deleteFrom('analytical_migrations').where('name', '=', '0004-time-of-calls-that-stay').execute()
  await migrate(own)
  const parts = await own.analytical.rows<{ latest: number }>(
    ownSql("SELECT toYear(delete_ttl_info_max) AS latest FROM system.parts WHERE active AND table = 'calls' AND rows > 0"),
  )
  expect(parts).toEqual([{ latest: 2106 }])
  await own.close()
})

test('a store from before the usage column has it after the migration, also for existing calls', async () => {
  const own = await startTestStores()
  const aCall = (id: string, total_tokens: number) =>
    aBlock(callsTable, aCallRow({ id, summary: `{"usage":{"m":{"prompt_tokens":1,"total_tokens":${total_tokens}}}}` }))
  await own.analytical.execute(ownSql('ALTER TABLE heddle.calls DROP COLUMN usage'))
  await own.analytical.insert(callsTable, aCall('there before', 2))
  await own.database.deleteFrom('analytical_migrations').where('name', '=', '0005-usage-of-calls').execute()
  await migrate(own)
  await own.analytical.insert(callsTable, aCall('there after', 3))
  const used = sql`SELECT id, usage.model AS models, arrayMap(total -> toFloat64(total), usage.total_tokens) AS totals FROM heddle.calls FINAL ORDER BY id`
  const expected = [
    { id: 'there after', models: ['m'], totals: [3] },
    { id: 'there before', models: ['m'], totals: [2] },
  ]
  expect(await own.analytical.rows(used)).toEqual(expected)
  const without = ownSql(
    `SELECT name FROM system.parts WHERE active AND table = 'calls' AND rows > 0
      AND name NOT IN (SELECT name FROM system.parts_columns WHERE table = 'calls' AND column = 'usage')`,
  )
  await expect.poll(() => own.analytical.rows(without)).toEqual([])
  expect(await own.analytical.rows(used), 'when all of it is stored').toEqual(expected)
  await own.close()
})

test('a store from before index compression writes new parts with the codec after the migration, and keeps existing ones', async () => {
  const own = await startTestStores()
  const codecs = () =>
    own.analytical.rows(
      ownSql("SELECT table, compression_codec AS codec FROM system.columns WHERE database = 'heddle' AND name = 'idx' ORDER BY table"),
    )
  const current = await codecs()
  expect(current).toEqual(['calls', 'object_values'].map((table) => ({ table, codec: 'CODEC(ZSTD(1))' })))
  for (const table of ['calls', 'object_values'])
    await own.analytical.execute(ownSql(`ALTER TABLE heddle.${table} MODIFY COLUMN idx REMOVE CODEC`))
  await own.analytical.insert(callsTable, aBlock(callsTable, aCallRow({ id: 'there before', idx: ['in.a', '1'] })))
  await own.database.deleteFrom('analytical_migrations').where('name', '=', '0007-lean-index-of-rows').execute()
  await migrate(own)
  await own.analytical.insert(callsTable, aBlock(callsTable, aCallRow({ id: 'there after', idx: ['in.a', '2'] })))
  expect(await codecs()).toEqual(current)
  const leaves = () => own.analytical.rows(sql`SELECT id, idx.in.a.:String AS a FROM heddle.calls FINAL ORDER BY id`)
  const expected = [
    { id: 'there after', a: '2' },
    { id: 'there before', a: '1' },
  ]
  expect(await leaves()).toEqual(expected)
  await own.analytical.execute(ownSql('OPTIMIZE TABLE heddle.calls FINAL'))
  expect(await leaves(), 'after a merge of both').toEqual(expected)
  await own.close()
})

test('tables that the relational database knows and the store does not have are an error, and are made again where the operator accepts it', async () => {
  const other = await startTestStores()
  onTestFinished(() => other.close())
  await migrate(other)
  for (const { name } of (await tables(other)) as { name: string }[]) await other.analytical.execute(ownSql(`DROP TABLE heddle.${name}`))
  await expect(migrate(other)).rejects.toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/HEDDLE_CLICKHOUSE_URL.*doctor --repair/),
  })
  expect(await tables(other)).toEqual([])
  await migrateAnalytical({ ...other, kind: 'embedded', now: () => 6, recreates: true })
  expect(await tables(other)).toContainEqual({ name: 'calls' })
})
