import type { Blobs } from '@heddle/datastore'
import type { Engine } from '@heddle/training'
import type { Stores } from '../stores/stores.ts'
import type { ServerLog } from '../log/server-log.ts'
import { createReadiness, type Readiness, type ReadinessChange } from './readiness.ts'

export interface ServerHealthDeps {
  stores: Pick<Stores, 'database' | 'assertDiskSpace' | 'engineDownMs'> & { analytical: Pick<Stores['analytical'], 'ping'> }
  log: Pick<ServerLog, 'info' | 'warn'>
}

export interface ServerHealth {
  /** The checks of the stores, of the disk and of the server itself; other parts add theirs. */
  readiness: Readiness
  /** Adds a check of contents in a bucket, which can be out of reach while all else works. */
  watchContents(blobs: Pick<Blobs, 'storeId'>): void
  /**
   * Adds a check of the engine that runs models. `isNeeded`: without it the server is not ready. Otherwise its state is only shown, since a server
   * that also records traces continues to do so.
   */
  watchModelEngine(engine: Pick<Engine, 'health'>, options: { isNeeded: boolean }): void
  /** Why the process should be restarted; undefined while it can recover by itself. */
  whyDead(): string | undefined
  /** From here on the server is not ready, and its checks are not run by themselves. */
  stop(): void
}

/** Without probes, a part that fails is in the log within this time. */
const checkEveryMs = 10_000
/** The engine is restarted after a few seconds at most; after this time a new process is the better attempt. */
const engineDeadMs = 120_000

/** Checks that cost a request to another server are repeated after this time at the earliest. */
const remoteFreshMs = 5_000

/** Watches the stores, and logs each part that stops being ready or becomes ready again. */
export function watchHealth({ stores, log }: ServerHealthDeps): ServerHealth {
  const { analytical, database, assertDiskSpace, engineDownMs } = stores
  let isStopping = false
  const readiness = createReadiness({ onChange: (change) => logChange(change, log) })
  readiness.add('server', () => (isStopping ? 'shutting down' : undefined), { freshMs: 0 })
  readiness.add('relational database', async (signal) => {
    await database.of({ signal }).selectFrom('projects').select('id').limit(1).execute()
    return undefined
  })
  readiness.add('call store', async (signal) => {
    await analytical.ping(signal)
    return undefined
  })
  readiness.add('disk', async () => {
    await assertDiskSpace()
    return undefined
  })
  const timer = setInterval(() => void readiness.read(), checkEveryMs)
  timer.unref()
  return {
    readiness,
    watchContents(blobs) {
      readiness.add('content store', async (signal) => void (await blobs.storeId({ signal })), { freshMs: remoteFreshMs })
    },
    watchModelEngine(engine, { isNeeded }) {
      const check = async () => {
        const { ok, reason = 'unavailable' } = await engine.health()
        return ok ? undefined : reason
      }
      readiness.add('model engine', check, { freshMs: remoteFreshMs, isNeeded })
    },
    whyDead: () => (engineDownMs() > engineDeadMs ? 'the embedded engine does not start' : undefined),
    stop() {
      isStopping = true
      clearInterval(timer)
    },
  }
}

function logChange({ part, reason, error }: ReadinessChange, log: ServerHealthDeps['log']): void {
  if (reason === undefined) log.info({ part }, 'ready again')
  else if (reason !== 'shutting down') log.warn({ part, reason, ...(error !== undefined && { err: error }) }, 'not ready')
}
