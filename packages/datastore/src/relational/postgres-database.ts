import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { Pool, types } from 'pg'
import { assertNotAborted } from '../analytical/queries/cancelled-error.ts'
import { connectUntilAborted, runUntilAborted, type ScopedConnection } from './cancel-statement.ts'
import type { Database, RelationalStore } from './database.ts'
import { translatedAsync } from './database-failure.ts'
import { migrated } from './migrate-database.ts'
import type { Tables } from './tables.ts'

/** A pool that reads 64-bit integers as numbers. Connections time out after 10 seconds, statements after 60. */
export function postgresPool(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: 16,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 60_000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format as 'text'),
    },
  })
  // A broken idle connection is replaced at the next query. Without a listener the error would end the process.
  pool.on('error', () => undefined)
  return pool
}

/** Connects to a server and migrates the schema. */
export async function openPostgres(url: string): Promise<RelationalStore> {
  const pool = postgresPool(url)
  const database = await migrated(databaseOn(pool, undefined), 'postgres')
  return Object.assign(database, {
    of: ({ signal }: Pick<ScopedConnection, 'signal'>) => (signal === undefined ? database : databaseOn(pool, signal)),
  })
}

/** The database over connections of the pool, for work that ends when the signal aborts. */
function databaseOn(pool: Pool, signal: AbortSignal | undefined): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: scopedPool(pool, signal) }) })
}

function scopedPool(pool: Pool, signal: AbortSignal | undefined): PostgresPool {
  return {
    end: () => pool.end(),
    async connect() {
      const client = await translatedAsync(connectUntilAborted(pool, signal))
      const scoped = { pool, client, signal }
      const typed: PostgresPoolClient = client
      // Cursors are not used, so a statement is always a string.
      const query = <R>(text: string, parameters: readonly unknown[]) =>
        translatedAsync(run(scoped, text, () => typed.query<R>(text, parameters)))
      return { query: query as PostgresPoolClient['query'], release: () => client.release() }
    },
  }
}

/**
 * A transaction whose signal aborts runs no further statement, and is rolled back. Its commit is not cancelled once it was sent: nobody would
 * know whether it took place.
 */
async function run<T>(connection: ScopedConnection, text: string, send: () => Promise<T>): Promise<T> {
  if (text === 'rollback') return send()
  if (text !== 'begin' && text !== 'commit') return runUntilAborted(connection, send)
  assertNotAborted('the transaction', connection.signal)
  return send()
}
