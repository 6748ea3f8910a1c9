import { join } from 'node:path'
import type { KeyedLock } from '../locks/keyed-lock.ts'
import { postgresLock } from '../locks/postgres-lock.ts'
import { processLock } from '../locks/process-lock.ts'
import { openSqlite, type RelationalStore } from '../relational/database.ts'
import { openPostgres } from '../relational/postgres-database.ts'
import { postgresPool } from '../relational/postgres-pool.ts'
import { newPostgresDatabase } from './new-postgres-database.ts'

export interface TestRelational {
  database: RelationalStore
  locks: KeyedLock
  /** Closes the store, and drops the database that was made for it. */
  closeRelational(): Promise<void>
}

/** An empty relational store with its locks: a file in the folder, or a new database on a server. */
export async function openTestRelational(folder: string, postgresUrl: string | undefined): Promise<TestRelational> {
  if (postgresUrl === undefined) {
    const database = await openSqlite(join(folder, 'heddle.db'))
    return { database, locks: processLock(), closeRelational: () => database.destroy() }
  }
  const { url, drop } = await newPostgresDatabase(postgresUrl)
  const pool = postgresPool(url)
  const database = await openPostgres(url)
  return {
    database,
    locks: postgresLock({ pool }),
    async closeRelational() {
      await database.destroy()
      await pool.end()
      await drop()
    },
  }
}
