import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, type Pool, type PoolClient } from 'pg'
import { assertNotAborted, cancelledError } from '../work/cancelled-error.ts'
import { codeOf } from '../error-code.ts'
import { untilAborted } from '../until-aborted.ts'
import { processIdOf } from './postgres-pool.ts'

/** A cancellation that arrives before its statement has no effect, so it is repeated until the statement has ended. */
const repeatMs = 250
const queryCancelled = '57014'

/** A connection of a pool, in the work of a scope. */
export interface ScopedConnection {
  pool: Pool
  client: PoolClient
  signal: AbortSignal | undefined
  /** The server's process; absent: the one reported when the connection was made. */
  processId?: number
}

/**
 * Takes a connection from the pool. A caller whose signal aborts no longer waits, and the connection is returned to the pool when it arrives.
 * @throws StoreError `cancelled` when the signal aborts first
 */
export async function connectUntilAborted(pool: Pool, signal: AbortSignal | undefined): Promise<PoolClient> {
  if (signal === undefined) return pool.connect()
  assertNotAborted('the statement', signal)
  setMaxListeners(0, signal)
  const connecting = pool.connect()
  try {
    return await untilAborted(connecting, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    void connecting.then(
      (client) => client.release(),
      () => undefined,
    )
    throw cancelledError('the statement', signal)
  }
}

/**
 * Runs a statement that the server cancels when the signal aborts. Settles only when the statement has ended and no cancellation is on its
 * way, so that the next statement of the connection is not hit.
 * @throws StoreError `cancelled` when the signal aborts before the statement has ended
 */
export async function runUntilAborted<T>(connection: ScopedConnection, run: () => Promise<T>): Promise<T> {
  const { signal } = connection
  if (signal === undefined) return run()
  assertNotAborted('the statement', signal)
  const ended = new AbortController()
  let cancelling: Promise<void> | undefined
  const cancel = () => {
    cancelling = cancelStatement(connection, ended.signal)
  }
  // A request may run many statements concurrently.
  setMaxListeners(0, signal)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await run()
  } catch (error) {
    throw signal.aborted && codeOf(error) === queryCancelled ? cancelledError('the statement', signal) : error
  } finally {
    signal.removeEventListener('abort', cancel)
    ended.abort()
    await cancelling
  }
}

/**
 * Cancels the connection's statement until `ended` aborts. Uses a separate connection, since statements to be cancelled may hold the whole pool.
 * There is at most one for each connection of the pool. If the server accepts none, the statement runs to its own time limit.
 */
async function cancelStatement({ pool, client, processId = processIdOf(client) }: ScopedConnection, ended: AbortSignal): Promise<void> {
  const side = new Client(pool.options)
  // Without a listener the error of a broken connection would end the process.
  side.on('error', () => undefined)
  try {
    await side.connect()
    while (!ended.aborted) {
      await side.query('SELECT pg_cancel_backend($1)', [processId])
      await delay(repeatMs, undefined, { signal: ended }).catch(() => undefined)
    }
  } catch {
    // The statement runs to its own time limit.
  } finally {
    await side.end().catch(() => undefined)
  }
}
