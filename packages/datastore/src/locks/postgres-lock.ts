import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { StoreError } from '../analytical/analytical.ts'
import { lockOrder, type KeyedLock } from './keyed-lock.ts'

export interface PostgresLockOptions {
  /** A pool for locks alone: a holder keeps a connection, and queries must not wait for those. */
  pool: Pool
  /** Milliseconds to wait for all keys together. Default 10 000. */
  maxWaitMs?: number
}

/** First 64 bits of a hash. Two keys that share it wait for each other, which is slow and right. */
function lockNumber(key: string): bigint {
  return createHash('sha256').update(key).digest().readBigInt64BE(0)
}

function ascending(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** Locks among all servers that use one PostgreSQL. A lock ends with its holder's transaction, so also when the holder dies. */
export function postgresLock({ pool, maxWaitMs = 10_000 }: PostgresLockOptions): KeyedLock {
  return {
    async withKeys(keys, work) {
      const numbers = [...new Set(lockOrder(keys).map(lockNumber))].toSorted(ascending)
      if (numbers.length === 0) return work()
      const client = await connect(pool)
      let broken: Error | undefined
      try {
        await take(client, numbers, maxWaitMs)
        return await work()
      } finally {
        await client.query('ROLLBACK').catch((error: Error) => {
          broken = error
        })
        // A connection that cannot end its transaction is closed, and the server frees what it held.
        client.release(broken)
      }
    },
  }
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw new StoreError('unavailable', `no connection for a lock: ${String(error)}`, { cause: error })
  }
}

async function take(client: PoolClient, numbers: readonly bigint[], maxWaitMs: number): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query("SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', $1, true)", [`${maxWaitMs}ms`])
    await client.query(
      'SELECT pg_advisory_xact_lock(number) FROM unnest($1::bigint[]) WITH ORDINALITY AS keys(number, position) ORDER BY position',
      [numbers.map(String)],
    )
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === '55P03' || code === '57014') throw new StoreError('busy', `a lock was not free within ${maxWaitMs} ms`, { cause: error })
    throw new StoreError('unavailable', `a lock could not be taken: ${String(error)}`, { cause: error })
  }
}
