import { StoreError } from './store-error.ts'

export interface ResponsivenessOptions {
  /** Pings the server, on a connection that no statement uses. */
  ping(signal: AbortSignal): Promise<void>
  /** Milliseconds without progress after which a statement checks that the server responds. */
  idleMs?: number
  /** Milliseconds that the server has for a sign of life. */
  pingMs?: number
}

/** The error of a statement that the server left without an answer. */
export const unresponsive = () =>
  new StoreError('unavailable', 'the store accepts connections and does not respond', { retryAfterSeconds: 5 })

/** Notifies waiting statements when a server accepts connections but does not respond, long before their own limits. */
export interface Responsiveness {
  /** Calls `onFrozen` once when the server gives no sign of life, until `end`. */
  watch(onFrozen: () => void): Watch
}

export interface Watch {
  /** The server has responded: the wait restarts. */
  progress(): void
  end(): void
}

/** A server that is only slow gives signs of life, so its statements keep their limits. Statements that wait at the same time share one ping. */
export function createResponsiveness({ ping, idleMs = 3_000, pingMs = 5_000 }: ResponsivenessOptions): Responsiveness {
  let running: Promise<boolean> | undefined

  function isAlive(): Promise<boolean> {
    running ??= ping(AbortSignal.timeout(pingMs))
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        running = undefined
      })
    return running
  }

  return {
    watch(onFrozen) {
      let isEnded = false
      let timer: NodeJS.Timeout
      const wait = () => {
        timer = setTimeout(() => void check(), idleMs)
        timer.unref()
      }
      const check = async () => {
        const alive = await isAlive()
        if (isEnded) return
        if (alive) wait()
        else onFrozen()
      }
      wait()
      return {
        progress() {
          if (!isEnded) timer.refresh()
        },
        end() {
          isEnded = true
          clearTimeout(timer)
        },
      }
    },
  }
}
