import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, PostgresDialect, SqliteDialect, type PostgresPool, type PostgresPoolClient, type SqliteDatabase } from 'kysely'
import Libsql from 'libsql'
import { Pool, types } from 'pg'
import { makeFolder } from '../durable-folders.ts'
import { codeOf } from '../error-code.ts'
import { translated, translatedAsync } from './database-failure.ts'
import { migrateDatabase } from './migrate-database.ts'
import type { RelationalKind } from './relational-migration.ts'
import type { Tables } from './tables.ts'

/** The store for data that needs unique keys or compare-and-set. The same queries run on both dialects. */
export type Database = Kysely<Tables>

/**
 * Opens the file, creates it if missing, and migrates the schema. Commits are durable once they resolve.
 * Statements block the calling thread: keep transactions short.
 */
export async function openSqlite(path: string): Promise<Database> {
  await makeFolder(dirname(path))
  const file = new Libsql(path)
  // Before its side files (WAL) are created: they inherit its mode.
  chmodSync(path, 0o600)
  file.pragma('journal_mode = WAL')
  file.pragma('synchronous = FULL')
  // On macOS a sync without it reaches only the disk's cache; elsewhere it has no effect.
  file.pragma('fullfsync = ON')
  file.pragma('checkpoint_fullfsync = ON')
  file.pragma('busy_timeout = 5000')
  file.pragma('foreign_keys = ON')
  return migrated(new Kysely<Tables>({ dialect: new SqliteDialect({ database: translatingFile(file) }) }), 'sqlite')
}

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
export async function openPostgres(url: string): Promise<Database> {
  return migrated(new Kysely<Tables>({ dialect: new PostgresDialect({ pool: translatingPool(postgresPool(url)) }) }), 'postgres')
}

function translatingFile(file: SqliteDatabase): SqliteDatabase {
  return {
    close: () => file.close(),
    prepare: (text) => {
      const statement = translated(() => file.prepare(text))
      return {
        reader: statement.reader,
        all: (parameters) => translated(() => statement.all(parameters)),
        run: (parameters) => translated(() => statement.run(parameters)),
        iterate: (parameters) => translated(() => statement.iterate(parameters)),
      }
    },
  }
}

function translatingPool(pool: Pool): PostgresPool {
  return {
    end: () => pool.end(),
    async connect() {
      const client: PostgresPoolClient = await translatedAsync(pool.connect())
      // Cursors are not used, so a statement is always a string.
      const query = <R>(text: string, parameters: readonly unknown[]) => translatedAsync(client.query<R>(text, parameters))
      return { query: query as PostgresPoolClient['query'], release: () => client.release() }
    },
  }
}

async function migrated(database: Database, kind: RelationalKind): Promise<Database> {
  try {
    await migrateDatabase(database, kind)
    return database
  } catch (error) {
    await database.destroy()
    throw error
  }
}

const uniqueViolations = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'])

/** True for the error of a write that violates a unique key. */
export function isUniqueViolation(error: unknown): boolean {
  return uniqueViolations.has(codeOf(error))
}
