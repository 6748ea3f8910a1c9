import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { type Responsiveness, unresponsive, type Watch } from '../work/responsiveness.ts'
import { assertNotAborted } from '../work/cancelled-error.ts'
import { connectUntilAborted, runUntilAborted, type ScopedConnection } from './cancel-statement.ts'
import type { Database, RelationalStore } from './database.ts'
import { translatedAsync } from './database-failure.ts'
import { migrated } from './migrate-database.ts'
import { beginLimited, isPooledElsewhere, postgresPool } from './postgres-pool.ts'
import { type PostgresPatience, postgresResponsiveness } from './postgres-responsiveness.ts'
import type { Tables } from './tables.ts'

/** Connects to a server, also through a proxy that pools connections, and migrates the schema. */
export async function openPostgres(url: string, patience?: PostgresPatience): Promise<RelationalStore> {
  const pool = postgresPool(url)
  const responsiveness = postgresResponsiveness(url, patience)
  const isPooled = await translatedAsync(isPooledElsewhere(pool))
  const database = await migrated(databaseOn({ pool, isPooled, responsiveness, signal: undefined }), 'postgres')
  return Object.assign(database, {
    of: ({ signal }: Pick<ScopedConnection, 'signal'>) =>
      signal === undefined ? database : databaseOn({ pool, isPooled, responsiveness, signal }),
  })
}

interface ScopedPool {
  pool: Pool
  /** True where only a transaction keeps its connection to the server. */
  isPooled: boolean
  responsiveness: Responsiveness
  signal: AbortSignal | undefined
}

/** The database over connections of the pool, for work that ends when the signal aborts. */
function databaseOn(scoped: ScopedPool): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: scopedPool(scoped) }) })
}

function scopedPool({ pool, isPooled, responsiveness, signal }: ScopedPool): PostgresPool {
  return {
    end: () => pool.end(),
    async connect() {
      const client = await translatedAsync(connectUntilAborted(pool, signal))
      const connection = { pool, client, signal }
      const typed: PostgresPoolClient = client
      // Cursors are not used, so a statement is always a string.
      const send = <R>(text: string, parameters: readonly unknown[]) => typed.query<R>(text, parameters)
      const run = isPooled ? runPooled(connection) : runDirectly(connection)
      const watched = watchStatements(responsiveness)
      const query = <R>(text: string, parameters: readonly unknown[]) =>
        translatedAsync(watched.run(() => run(text, () => send<R>(text, parameters))))
      return { query: query as PostgresPoolClient['query'], release: () => client.release(watched.isFrozen) }
    },
  }
}

/** Statements of one connection, of which one may be left without a response: then the connection is closed when it is released, and takes no other. */
function watchStatements(responsiveness: Responsiveness) {
  let isFrozen = false
  return {
    get isFrozen() {
      return isFrozen
    },
    async run<T>(statement: () => Promise<T>): Promise<T> {
      if (isFrozen) throw unresponsive()
      let watch: Watch | undefined
      const frozen = new Promise<never>((_, reject) => {
        watch = responsiveness.watch(() => {
          isFrozen = true
          reject(unresponsive())
        })
      })
      try {
        return await Promise.race([statement(), frozen])
      } finally {
        watch?.end()
      }
    },
  }
}

/** Runs a statement that `send` sends. */
type Run = <T>(text: string, send: () => Promise<T>) => Promise<T>

const isBegin = (text: string) => text === 'begin' || text.startsWith('start transaction')

/**
 * A transaction whose signal aborts runs no further statement, and is rolled back. Its commit is not cancelled once sent: its outcome would be
 * unknown.
 */
function runDirectly(connection: ScopedConnection): Run {
  return async (text, send) => {
    if (text === 'rollback') return send()
    if (!isBegin(text) && text !== 'commit') return runUntilAborted(connection, send)
    assertNotAborted('the transaction', connection.signal)
    return send()
  }
}

/** The same where each transaction may have another connection to the server: a statement outside of one gets one, with the time limit. */
function runPooled(connection: ScopedConnection & { client: PoolClient }): Run {
  const { client } = connection
  const run = runDirectly(connection)
  let isInTransaction = false

  async function begin(text: string): Promise<void> {
    connection.processId = await beginLimited(client, text)
  }

  return async <T>(text: string, send: () => Promise<T>): Promise<T> => {
    if (isBegin(text)) {
      await run(text, () => begin(text))
      isInTransaction = true
      // The result of a statement without rows.
      return { command: 'BEGIN', rowCount: 0, rows: [] } as T
    }
    if (text === 'commit' || text === 'rollback') isInTransaction = false
    if (isInTransaction || text === 'commit' || text === 'rollback') return run(text, send)
    await run('begin', () => begin('begin'))
    try {
      const result = await run(text, send)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  }
}
