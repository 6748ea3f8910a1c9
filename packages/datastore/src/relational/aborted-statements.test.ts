import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { serverWork, type WorkScope } from '../work/work-scope.ts'
import type { Database, RelationalStore } from './database.ts'
import { newPostgresDatabase, type PostgresTestDatabase } from '../testing/new-postgres-database.ts'
import { openPostgres } from './postgres-database.ts'

const patience = { timeout: 25_000 }
const cancelled = { name: 'StoreError', kind: 'cancelled' }
const poolSize = 16

describe.skipIf(inject('postgresUrl') === '')('statements on PostgreSQL whose request aborts', () => {
  const observer = new Client({ connectionString: inject('postgresUrl') })
  let postgres: PostgresTestDatabase
  let database: RelationalStore
  beforeAll(async () => {
    await observer.connect()
    postgres = await newPostgresDatabase(inject('postgresUrl'))
    database = await openPostgres(postgres.url)
  })
  afterAll(async () => {
    await database.destroy()
    await observer.end()
    await postgres.drop()
  })

  /** The server's processes for this database, and what they do. */
  async function activity(): Promise<{ pid: number; state: string; query: string }[]> {
    const { rows } = await observer.query('SELECT pid, state, query FROM pg_stat_activity WHERE datname = $1 ORDER BY pid', [postgres.name])
    return rows
  }
  const sleeping = async () => (await activity()).filter(({ state, query }) => state === 'active' && query.includes('pg_sleep')).length
  const sleep = (of: Database) => sql`SELECT pg_sleep(50)`.execute(of)

  function aRequest() {
    const client = new AbortController()
    const scope: WorkScope = { tenant: { caller: 'key', project: 'entity/project' }, signal: client.signal }
    return { scope, leave: () => client.abort(new Error('the client left')) }
  }

  const aFile = (project_id: string, digest: string) => ({ project_id, digest, name: digest, size_bytes: 1, created_at: 1 })
  const filesOf = async (project_id: string) =>
    (await database.selectFrom('files').select('digest').where('project_id', '=', project_id).execute()).length

  test('are cancelled on the server, and their connection serves the next', async () => {
    const { scope, leave } = aRequest()
    const answer = sleep(database.of(scope))
    await expect.poll(sleeping, patience).toBe(1)
    const before = (await activity()).map(({ pid }) => pid)
    leave()
    await expect(answer).rejects.toMatchObject(cancelled)
    expect(await sleeping()).toBe(0)
    expect((await sql`SELECT 1 AS one`.execute(database)).rows).toEqual([{ one: 1 }])
    await expect.poll(async () => (await activity()).map(({ pid }) => pid), patience).toEqual(before)
  })

  test.each(['with a request', 'of the server itself'])('above the time limit of the server fail with a timeout, %s', async (whose) => {
    const answer = database
      .of(whose === 'with a request' ? aRequest().scope : serverWork)
      .transaction()
      .execute(async (transaction) => {
        await sql`SET LOCAL statement_timeout = 20`.execute(transaction)
        await sleep(transaction)
      })
    await expect(answer).rejects.toMatchObject({ name: 'StoreError', kind: 'timeout' })
  })

  test('roll back the whole transaction in which they are', async () => {
    const { scope, leave } = aRequest()
    const answer = database
      .of(scope)
      .transaction()
      .execute(async (transaction) => {
        await transaction.insertInto('files').values(aFile('rolled-back', 'one')).execute()
        await sleep(transaction)
      })
    await expect.poll(sleeping, patience).toBe(1)
    leave()
    await expect(answer).rejects.toMatchObject(cancelled)
    expect(await filesOf('rolled-back')).toBe(0)
    expect((await activity()).filter(({ state }) => state !== 'idle')).toEqual([])
  })

  test.each(['before its next statement', 'before its commit'])(
    'are not sent when a transaction aborts %s, and nothing of it is stored',
    async (when) => {
      const { scope, leave } = aRequest()
      const answer = database
        .of(scope)
        .transaction()
        .execute(async (transaction) => {
          await transaction.insertInto('files').values(aFile(when, 'one')).execute()
          leave()
          if (when === 'before its next statement') await transaction.insertInto('files').values(aFile(when, 'two')).execute()
        })
      await expect(answer).rejects.toMatchObject(cancelled)
      expect(await filesOf(when)).toBe(0)
    },
  )

  test('are not sent for a request that has aborted before', async () => {
    const { scope, leave } = aRequest()
    leave()
    await expect(database.of(scope).insertInto('files').values(aFile('gone', 'one')).execute()).rejects.toMatchObject(cancelled)
    expect(await filesOf('gone')).toBe(0)
  })

  test('are cancelled although they hold all connections, and one that waits for a connection is left at once', async () => {
    const [slow, waiting] = [aRequest(), aRequest()]
    const answers = Promise.allSettled(Array.from({ length: poolSize }, () => sleep(database.of(slow.scope))))
    await expect.poll(sleeping, patience).toBe(poolSize)
    const late = sql`SELECT 1`.execute(database.of(waiting.scope))
    waiting.leave()
    await expect(late).rejects.toMatchObject(cancelled)
    expect(await sleeping()).toBe(poolSize)
    slow.leave()
    for (const answer of await answers) expect(answer).toMatchObject({ status: 'rejected', reason: cancelled })
    expect(await sleeping()).toBe(0)
    expect((await sql`SELECT 1 AS one`.execute(database)).rows).toEqual([{ one: 1 }])
  })

  test('do not end the statements of other requests, nor those of the server itself', async () => {
    const [leaving, staying] = [aRequest(), aRequest()]
    const short = (of: Database) => sql<{ done: string }>`SELECT 'done' AS done, pg_sleep(0.5)`.execute(of)
    const others = [short(database.of(staying.scope)), short(database.of(serverWork)), short(database)]
    const answer = sleep(database.of(leaving.scope))
    await expect.poll(sleeping, patience).toBeGreaterThan(0)
    leaving.leave()
    await expect(answer).rejects.toMatchObject(cancelled)
    for (const { rows } of await Promise.all(others)) expect(rows).toMatchObject([{ done: 'done' }])
  })

  test('leave all or nothing of each transaction, whenever they abort', async () => {
    const endOf = async (answer: Promise<unknown>) => {
      const [end] = await Promise.allSettled([answer])
      if (end.status === 'fulfilled') return 'committed'
      expect(end.reason).toMatchObject(cancelled)
      return 'cancelled'
    }
    const transfer = async (project: string, leavesAfterMs: number) => {
      const { scope, leave } = aRequest()
      const answer = database
        .of(scope)
        .transaction()
        .execute(async (transaction) => {
          await transaction.insertInto('files').values(aFile(project, 'one')).execute()
          await transaction.insertInto('files').values(aFile(project, 'two')).execute()
        })
      void delay(leavesAfterMs).then(leave)
      const end = await endOf(answer)
      expect({ end, files: await filesOf(project) }).toEqual({ end, files: end === 'committed' ? 2 : 0 })
    }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 25 }), { maxLength: 24 }), async (leaves) => {
        await Promise.all(leaves.map((leavesAfterMs) => transfer(randomUUID(), leavesAfterMs)))
      }),
      { numRuns: trials({ usual: 10, long: 500 }) },
    )
    expect((await activity()).filter(({ state }) => state !== 'idle')).toEqual([])
  })
})
