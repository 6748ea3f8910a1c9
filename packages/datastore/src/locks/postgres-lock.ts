import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { StoreError } from '../work/store-error.ts'
import { assertNotAborted } from '../work/cancelled-error.ts'
import { connectUntilAborted, runUntilAborted, type ScopedConnection } from '../relational/cancel-statement.ts'
import { lockOrder, type KeyedLock } from './keyed-lock.ts'

export interface PostgresLockOptions {
  /** A pool only for locks: each holder occupies a connection, and queries must not wait for those. */
  pool: Pool
  /** Maximum milliseconds to wait for all keys together. Default 10 000. */
  maxWaitMs?: number
}

/**
 * Keys that one caller locks one by one. The server has room for some thousand locks of all its connections, so a caller with more keys locks their
 * namespaces as a whole, which excludes all other writers there.
 */
const maxKeys = 256

/** A lock of the server. Holders of shared ones run at the same time. */
interface ServerLock {
  number: bigint
  isShared: boolean
}

/**
 * The locks of some keys, in the order of acquisition: that of all namespaces, those of namespaces, those of keys. Who locks a part shares the locks
 * of the wholes around it.
 */
function locksOf(keys: readonly string[]): ServerLock[] {
  const namespaces = new Set(keys.map((key) => key.slice(0, key.lastIndexOf('\0') + 1)))
  const wholes = (isShared: boolean) =>
    numbersOf([...namespaces].map((name) => `\0namespace\0${name}`)).map((number) => ({ number, isShared }))
  const all = { number: lockNumber('\0all'), isShared: true }
  if (keys.length <= maxKeys) return [all, ...wholes(true), ...numbersOf(keys).map((number) => ({ number, isShared: false }))]
  return namespaces.size <= maxKeys ? [all, ...wholes(false)] : [{ ...all, isShared: false }]
}

function numbersOf(keys: readonly string[]): bigint[] {
  return [...new Set(keys.map(lockNumber))].toSorted(ascending)
}

/** First 64 bits of a hash. Keys that collide exclude each other, which is slow but correct. */
function lockNumber(key: string): bigint {
  return createHash('sha256').update(key).digest().readBigInt64BE(0)
}

function ascending(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** Locks across all servers on one PostgreSQL. A lock is released with its transaction, and so also when the holder dies. */
export function postgresLock({ pool, maxWaitMs = 10_000 }: PostgresLockOptions): KeyedLock {
  return {
    async withKeys({ signal }, keys, work) {
      assertNotAborted('the wait for a lock', signal)
      if (keys.length === 0) return work()
      const held = locksOf(lockOrder(keys))
      const client = await connect(pool, signal)
      let broken: Error | undefined
      try {
        await acquire({ pool, client, signal }, held, maxWaitMs).catch((error: unknown) => {
          // A server that does not respond cannot roll back.
          if (error instanceof StoreError && error.kind === 'unavailable') broken = error
          throw error
        })
        // It may have aborted after the acquisition.
        assertNotAborted('the wait for a lock', signal)
        return await work()
      } finally {
        if (broken === undefined)
          await client.query('ROLLBACK').catch((error: Error) => {
            broken = error
          })
        // A connection that cannot roll back is closed, so that the server releases its locks.
        client.release(broken)
      }
    },
  }
}

async function connect(pool: Pool, signal: AbortSignal | undefined): Promise<PoolClient> {
  try {
    return await connectUntilAborted(pool, signal)
  } catch (error) {
    if (error instanceof StoreError) throw error
    throw new StoreError('unavailable', `cannot connect to acquire a lock: ${String(error)}`, { cause: error })
  }
}

async function acquire(connection: ScopedConnection, locks: readonly ServerLock[], maxWaitMs: number): Promise<void> {
  const { client } = connection
  try {
    await client.query('BEGIN')
    const limits = "SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', $1, true), pg_backend_pid() AS pid"
    const { rows } = await client.query<{ pid: number }>(limits, [`${maxWaitMs}ms`])
    // With a proxy in between, the connection's own id would be the proxy's.
    connection.processId = rows[0]?.pid ?? 0
    await runUntilAborted(connection, () =>
      client.query(
        `SELECT CASE WHEN is_shared THEN pg_advisory_xact_lock_shared(number) ELSE pg_advisory_xact_lock(number) END
          FROM unnest($1::bigint[], $2::boolean[]) WITH ORDINALITY AS locks(number, is_shared, position) ORDER BY position`,
        [locks.map(({ number }) => String(number)), locks.map(({ isShared }) => isShared)],
      ),
    )
  } catch (error) {
    if (error instanceof StoreError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === '55P03' || code === '57014') throw new StoreError('busy', `cannot acquire a lock within ${maxWaitMs} ms`, { cause: error })
    throw new StoreError('unavailable', `cannot acquire a lock: ${String(error)}`, { cause: error })
  }
}
