import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newPostgresDatabase, type PostgresTestDatabase } from '../testing/new-postgres-database.ts'
import type { RelationalStore } from './database.ts'
import { openPostgres } from './postgres-database.ts'

const patience = { timeout: 60_000 }
const frozen = { name: 'StoreError', kind: 'unavailable', message: expect.stringContaining('does not respond') as string }

function newSignal() {
  let fire = () => {}
  const fired = new Promise<void>((resolve) => {
    fire = resolve
  })
  return { fired, fire: () => fire() }
}

/** A proxy for a server. While it is frozen it accepts connections and passes nothing on, as a stopped process does. */
async function startFreezer(target: URL) {
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(from)
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
      from.pipe(to)
      if (isFrozen) from.unpipe(to).pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    /** Later connections pass. Those that were frozen are lost. */
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

describe.skipIf(inject('postgresUrl') === '')('a PostgreSQL server that accepts connections and does not respond', () => {
  let postgres: PostgresTestDatabase
  let freezer: Awaited<ReturnType<typeof startFreezer>>
  let database: RelationalStore
  beforeAll(async () => {
    postgres = await newPostgresDatabase(inject('postgresUrl'))
    freezer = await startFreezer(new URL(postgres.url))
    database = await openPostgres(freezer.url, { idleMs: 100, pingMs: 3_000 })
  })
  afterAll(async () => {
    await database.destroy()
    await freezer.close()
    await postgres.drop()
  })

  const readOne = async () => (await sql`SELECT 1 AS one`.execute(database)).rows

  test(
    'fails statements, and transactions with a statement on the way, long before their own limit, and is used again when it responds',
    { timeout: 120_000 },
    async () => {
      expect(await readOne()).toEqual([{ one: 1 }])
      const [begun, isFrozen] = [newSignal(), newSignal()]
      const transaction = database.transaction().execute(async (open) => {
        await sql`SELECT 1`.execute(open)
        begun.fire()
        await isFrozen.fired
        await sql`SELECT 2`.execute(open)
      })
      await begun.fired
      freezer.freeze()
      isFrozen.fire()
      await Promise.all([
        expect(transaction).rejects.toMatchObject(frozen),
        expect(readOne()).rejects.toMatchObject({ kind: 'unavailable' }),
      ])
      freezer.thaw()
      await expect.poll(() => readOne().catch(() => []), patience).toEqual([{ one: 1 }])
    },
  )

  test('is told from one that works on a slow statement, which keeps its own limit', { timeout: 120_000 }, async () => {
    const patient = await openPostgres(freezer.url, { idleMs: 50, pingMs: 30_000 })
    const { rows } = await sql`SELECT 'slept' AS state FROM pg_sleep(2)`.execute(patient)
    expect(rows).toEqual([{ state: 'slept' }])
    await patient.destroy()
  })
})
