import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { StoreError } from '../analytical/analytical.ts'
import { assertNotAborted } from '../analytical/queries/cancelled-error.ts'
import { connectUntilAborted, runUntilAborted, type ScopedConnection } from '../relational/cancel-statement.ts'
import { lockOrder, type KeyedLock } from './keyed-lock.ts'

export interface PostgresLockOptions {
  /** A pool only for locks: each holder occupies a connection, and queries must not wait for those. */
  pool: Pool
  /** Maximum milliseconds to wait for all keys together. Default 10 000. */
  maxWaitMs?: number
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
      const numbers = [...new Set(lockOrder(keys).map(lockNumber))].toSorted(ascending)
      if (numbers.length === 0) return work()
      const client = await connect(pool, signal)
      let broken: Error | undefined
      try {
        await acquire({ pool, client, signal }, numbers, maxWaitMs)
        // It may have aborted after the acquisition.
        assertNotAborted('the wait for a lock', signal)
        return await work()
      } finally {
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

async function acquire(connection: ScopedConnection, numbers: readonly bigint[], maxWaitMs: number): Promise<void> {
  const { client } = connection
  try {
    await client.query('BEGIN')
    const limits = "SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', $1, true), pg_backend_pid() AS pid"
    const { rows } = await client.query<{ pid: number }>(limits, [`${maxWaitMs}ms`])
    // That of the connection is a proxy's where one is between.
    connection.processId = rows[0]?.pid ?? 0
    await runUntilAborted(connection, () =>
      client.query(
        'SELECT pg_advisory_xact_lock(number) FROM unnest($1::bigint[]) WITH ORDINALITY AS keys(number, position) ORDER BY position',
        [numbers.map(String)],
      ),
    )
  } catch (error) {
    if (error instanceof StoreError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === '55P03' || code === '57014') throw new StoreError('busy', `cannot acquire a lock within ${maxWaitMs} ms`, { cause: error })
    throw new StoreError('unavailable', `cannot acquire a lock: ${String(error)}`, { cause: error })
  }
}
