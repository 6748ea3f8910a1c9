import { type KeyedLock, openSqlite, type OpenSqliteOptions, processLock, type RelationalStore } from '@heddle/datastore'
import type { Configuration } from '../settings/configuration.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { sqlitePath } from './data-folder.ts'
import { messageOf } from '../terminal/message-of.ts'

/** Close the opened resources, in reverse order. */
export type Closers = (() => Promise<void>)[]

/** The driver is loaded by servers that use it. */
const loadPostgres = () => import('@heddle/datastore/postgres')

export async function openDatabase({ databaseUrl, dataDir }: Configuration, options: OpenSqliteOptions): Promise<RelationalStore> {
  if (databaseUrl === undefined) return openSqlite(sqlitePath(dataDir), options)
  const { openPostgres } = await loadPostgres()
  return openPostgres(databaseUrl).catch((error: unknown) => {
    throw new UsageError(`cannot open the database at HEDDLE_DATABASE_URL: ${messageOf(error)}`)
  })
}

/** More than the wait for a lock, which the server limits itself while it responds. */
const lockResponseMs = 20_000

/** Locks shared by all servers on one PostgreSQL; else process-local, since this process is the only one. */
export async function openLocks({ databaseUrl }: Configuration, closers: Closers): Promise<KeyedLock> {
  if (databaseUrl === undefined) return processLock()
  const { postgresLock, postgresPool } = await loadPostgres()
  const pool = postgresPool(databaseUrl, { responseMs: lockResponseMs })
  // A connection that breaks while idle is replaced when next needed; without a listener it would end the process.
  pool.on('error', () => undefined)
  closers.push(() => pool.end())
  return postgresLock({ pool })
}
