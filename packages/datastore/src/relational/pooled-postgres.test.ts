import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { serverWork } from '../work/work-scope.ts'
import { postgresLock } from '../locks/postgres-lock.ts'
import { newPostgresDatabase, type PostgresTestDatabase } from '../testing/new-postgres-database.ts'
import { type PoolerStandIn, startPoolerStandIn } from '../testing/pooler-stand-in.ts'
import type { RelationalStore } from './database.ts'
import { openPostgres } from './postgres-database.ts'
import { postgresPool } from './postgres-pool.ts'

const limitOf = async (database: Pick<RelationalStore, 'getExecutor'>) =>
  (await sql<{ limit: string }>`SELECT current_setting('statement_timeout') AS limit`.execute(database)).rows[0]?.limit

describe.skipIf(inject('postgresUrl') === '')('PostgreSQL behind a proxy that pools connections', () => {
  let postgres: PostgresTestDatabase
  let pooler: PoolerStandIn
  let database: RelationalStore
  let direct: RelationalStore
  beforeAll(async () => {
    postgres = await newPostgresDatabase(inject('postgresUrl'))
    pooler = await startPoolerStandIn(postgres.url)
    database = await openPostgres(pooler.url)
    direct = await openPostgres(postgres.url)
  })
  afterAll(async () => {
    await Promise.all([database.destroy(), direct.destroy()])
    await pooler.close()
    await postgres.drop()
  })
  const aFile = (digest: string) => ({ project_id: 'e/p', digest, name: digest, size_bytes: 1, created_at: 1 })
  const digests = async () => (await direct.selectFrom('files').select('digest').orderBy('digest').execute()).map(({ digest }) => digest)

  test('is opened and migrated without a startup parameter that the proxy refuses', () => {
    expect(pooler.refused).toEqual([])
  })

  test('limits the time of every statement, though settings of a session are lost', async () => {
    const signal = new AbortController().signal
    expect(await limitOf(database)).toBe('1min')
    expect(await limitOf(database.of({ ...serverWork, signal }))).toBe('1min')
    expect(await database.transaction().execute(limitOf)).toBe('1min')
    expect(await limitOf(direct)).toBe('1min')
    // Without the limit of each transaction there is none here.
    const pool = postgresPool(pooler.url)
    expect((await pool.query<{ limit: string }>("SELECT current_setting('statement_timeout') AS limit")).rows).toEqual([{ limit: '0' }])
    await pool.end()
  })

  test('keeps what was committed, and nothing of what was not', async () => {
    await database.insertInto('files').values(aFile('a')).execute()
    await database.transaction().execute(async (transaction) => {
      await transaction.insertInto('files').values(aFile('b')).execute()
    })
    const failed = database.transaction().execute(async (transaction) => {
      await transaction.insertInto('files').values(aFile('c')).execute()
      throw new Error('on purpose')
    })
    await expect(failed).rejects.toThrow('on purpose')
    await expect(database.insertInto('files').values(aFile('a')).execute()).rejects.toThrow(/duplicate key/)
    expect(await digests()).toEqual(['a', 'b'])
    // The connection of the refused statement serves the next.
    expect(await limitOf(database)).toBe('1min')
  })

  test('cancels a statement on the server by its own process, not by that of the proxy', async () => {
    const leaving = new AbortController()
    const sleeping = sql`SELECT pg_sleep(600)`.execute(database.of({ ...serverWork, signal: leaving.signal }))
    sleeping.catch(() => undefined)
    const active = async () =>
      (
        await sql`SELECT 1 FROM pg_stat_activity WHERE datname = ${postgres.name} AND state = 'active' AND query LIKE '%pg_sleep(600)'`.execute(
          direct,
        )
      ).rows.length
    await expect.poll(active).toBe(1)
    leaving.abort(new Error('the client left'))
    await expect(sleeping).rejects.toMatchObject({ kind: 'cancelled' })
    expect(await active()).toBe(0)
  })

  test('keeps locks', async () => {
    const pool = postgresPool(pooler.url)
    const lock = postgresLock({ pool, maxWaitMs: 60_000 })
    const impatient = postgresLock({ pool, maxWaitMs: 200 })
    await lock.withKeys(serverWork, ['k'], async () => {
      await expect(impatient.withKeys(serverWork, ['k'], async () => undefined)).rejects.toMatchObject({ kind: 'busy' })
    })
    expect(await lock.withKeys(serverWork, ['k'], async () => 'free')).toBe('free')
    await pool.end()
  })
})
