import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { processLock } from '../../locks/process-lock.ts'
import { aBlock, aCallRow, mergeParts, startTestStores, type TestStores } from '../../testing/index.ts'
import { analyticalSteps, migrateAnalytical } from './migrate-analytical.ts'
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
  '0014-deleted-calls',
  '0015-traces-that-change',
  '0016-reported-costs',
  '0017-responses-of-calls',
  '0018-tiers-of-prices',
  '0019-cached-audio-and-images',
  '0020-nested-names-of-kinds',
  '0021-shorter-service-tier',
  '0022-shared-parts-of-spans',
  '0023-shared-usage-of-spans',
  '0024-tier-of-named-rows',
]
const migrate = (given: TestStores) => migrateAnalytical({ ...given, kind: 'embedded', now: () => 5 })
/** The stores of all tests, without calls: what a test changes of their tables, the migration that it runs again puts right. */
async function withoutCalls(): Promise<TestStores> {
  await stores.analytical.execute(ownSql('TRUNCATE TABLE heddle.calls'))
  return stores
}
const tables = (given: TestStores) => given.analytical.rows(sql`SELECT name FROM system.tables WHERE database = 'heddle' ORDER BY name`)

test('each migration is applied once and recorded', async () => {
  await migrate(stores)
  const applied = await stores.database.selectFrom('analytical_migrations').selectAll().execute()
  expect(applied.map((row) => row.name)).toEqual(steps)
  expect(applied[0]?.applied_at).toBeGreaterThan(5)
  expect(await tables(stores)).toEqual(
    ['calls', 'deleted_calls', 'feedback', 'object_values', 'table_rows', 'tables', 'traces', 'usage'].map((name) => ({ name })),
  )
})

test('a migration that was interrupted before it was recorded runs again', async () => {
  await stores.database.deleteFrom('analytical_migrations').execute()
  const own = { ...stores, locks: processLock({ maxWaitMs: 80_000 }) }
  await Promise.all([migrate(own), migrate(own), migrate(own)])
  expect(await stores.database.selectFrom('analytical_migrations').selectAll().execute()).toEqual(
    steps.map((name) => ({ name, applied_at: 5 })),
  )
})

test('a new store has the tables that all steps together make', async () => {
  const own = await startTestStores()
  const definitions = () =>
    own.analytical.rows(sql`SELECT name, create_table_query FROM system.tables WHERE database = 'heddle' ORDER BY name`)
  const ofSteps = analyticalSteps.flatMap((step) => [...step.statements('embedded'), ...(step.inBackground?.('embedded') ?? [])])
  const made = await definitions()
  for (const statement of ofSteps) await own.analytical.execute(ownSql(statement))
  expect(await definitions()).toEqual(made)
  await own.analytical.execute(ownSql('DROP DATABASE heddle SYNC'))
  for (const statement of ofSteps) await own.analytical.execute(ownSql(statement))
  expect(await definitions()).toEqual(made)
  await own.close()
})

test('a new store whose start was interrupted between two tables gets the others', async () => {
  await stores.analytical.execute(ownSql('DROP TABLE heddle.usage SYNC'))
  await stores.database.deleteFrom('analytical_migrations').execute()
  await migrate(stores)
  expect(await tables(stores)).toHaveLength(8)
})

test('data of a newer version is refused with a reason and not changed', async () => {
  await stores.database.insertInto('analytical_migrations').values({ name: '9999-later', applied_at: 1 }).execute()
  await stores.database.deleteFrom('analytical_migrations').where('name', '=', '0003-feedback').execute()
  await expect(migrate(stores)).rejects.toThrow(/written by a newer version of Heddle \(its step "9999-later"/)
  expect(await stores.database.selectFrom('analytical_migrations').select('name').execute()).toHaveLength(steps.length)
  await stores.database.deleteFrom('analytical_migrations').where('name', '=', '9999-later').execute()
  await migrate(stores)
})

test.skipIf(inject('postgresUrl') === '')('the record may be kept in PostgreSQL', async () => {
  const own = await startTestStores({ postgresUrl: inject('postgresUrl') })
  expect(await own.database.selectFrom('analytical_migrations').select('name').orderBy('name').execute()).toEqual(
    steps.map((name) => ({ name })),
  )
  expect(await tables(own)).toHaveLength(8)
  await own.close()
})

test('a store of the first schema counts calls that never expire after the migration, including existing ones', async () => {
  const own = await withoutCalls()
  const first = 'toDateTime(expire_at)'
  await own.analytical.execute(ownSql(`ALTER TABLE heddle.calls MODIFY TTL ${first}`))
  await own.analytical.insert(callsTable, aBlock(callsTable, aCallRow({ id: 'there before', expire_at: 0 })))
  await own.database.deleteFrom('analytical_migrations').where('name', '=', '0004-time-of-calls-that-stay').execute()
  await migrate(own)
  const parts = await own.analytical.rows<{ latest: number }>(
    ownSql("SELECT toYear(delete_ttl_info_max) AS latest FROM system.parts WHERE active AND table = 'calls' AND rows > 0"),
  )
  expect(parts).toEqual([{ latest: 2106 }])
})

test('a column that an earlier migration still fills is derived again, for existing calls as well', async () => {
  const own = await withoutCalls()
  await own.analytical.execute(ownSql("ALTER TABLE heddle.calls MODIFY COLUMN kind_words LowCardinality(String) MATERIALIZED 'before'"))
  const attributes = '{"gen_ai":{"operation.name":"chat"}}'
  const ids = ['first', 'second', 'third']
  await own.analytical.insert(callsTable, aBlock(callsTable, ...ids.map((id) => aCallRow({ id, attributes }))))
  // Mutations run in their order: the second one waits for three seconds.
  const slow = ownSql('ALTER TABLE heddle.calls DELETE WHERE sleepEachRow(1) = 1')
  await own.analytical.execute(slow, { inBackground: true })
  const fill = ownSql('ALTER TABLE heddle.calls MATERIALIZE COLUMN kind_words')
  await own.analytical.execute(fill, { inBackground: true })
  await own.database.deleteFrom('analytical_migrations').where('name', '=', '0020-nested-names-of-kinds').execute()
  await migrate(own)
  const words = await own.analytical.rows<{ words: string }>(sql`SELECT toString(kind_words) AS words FROM heddle.calls FINAL`)
  expect(words.map((call) => call.words.trim())).toEqual(ids.map(() => 'chat'))
})

test('a store with an earlier expression of the service tier has the current one after the migration, and its rows keep their tiers', async () => {
  const own = await withoutCalls()
  const expression = () =>
    own.analytical.rows(
      sql`SELECT default_expression FROM system.columns WHERE database = 'heddle' AND table = 'calls' AND name = 'service_tier'`,
    )
  const current = await expression()
  const earlier = "MODIFY COLUMN service_tier LowCardinality(String) MATERIALIZED JSONExtractString(output, 'service_tier')"
  await own.analytical.execute(ownSql(`ALTER TABLE heddle.calls ${earlier}`))
  const aCall = (id: string) => aBlock(callsTable, aCallRow({ id, output: '{"service_tier":"flex"}' }))
  await own.analytical.insert(callsTable, aCall('there before'))
  expect(await expression()).not.toEqual(current)
  await own.database.deleteFrom('analytical_migrations').where('name', '=', '0021-shorter-service-tier').execute()
  await migrate(own)
  expect(await expression()).toEqual(current)
  await own.analytical.insert(callsTable, aCall('there after'))
  const tiers = await own.analytical.rows(sql`SELECT id, toString(service_tier) AS tier FROM heddle.calls FINAL ORDER BY id`)
  expect(tiers).toEqual(['there after', 'there before'].map((id) => ({ id, tier: 'flex' })))
})

test('a store from before the usage column has it after the migration, also for existing calls', async () => {
  const own = await withoutCalls()
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
})

test('a store from before index compression writes new parts with the codec after the migration, and keeps existing ones', async () => {
  const own = await withoutCalls()
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
  await mergeParts(own.analytical, 'calls')
  expect(await leaves(), 'after a merge of both').toEqual(expected)
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
