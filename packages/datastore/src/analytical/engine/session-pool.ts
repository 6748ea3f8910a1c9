import { setTimeout as delay } from 'node:timers/promises'

/** A resource that one caller at a time may use, from a fixed set. */
export interface SessionPool<S> {
  /**
   * Runs `work` with a session of its own, after the callers that came before. When the signal aborts meanwhile, what runs on the session is
   * cancelled, and the session is free again once it has ended.
   * @throws QueueFull at once when too many wait; the signal's reason when it aborts while waiting.
   */
  use<T>(work: (session: S) => Promise<T>, signal: AbortSignal): Promise<T>
}

/** More callers wait than the pool accepts. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

interface Waiter<S> {
  start(session: S): void
}

export interface SessionPoolOptions<S> {
  sessions: readonly S[]
  maxWaiting: number
  /** Asks for the end of what runs on a session. It may come too early to find it, so it is called again until that has ended. Absent: work runs to its end. */
  cancel?: (session: S) => Promise<unknown>
  /** Frees what cancelled work left on its session, before the next has it. */
  clear?: (session: S) => Promise<unknown>
  /** Milliseconds between two calls of `cancel`. Default 50. */
  cancelEveryMs?: number
}

export function createSessionPool<S>(options: SessionPoolOptions<S>): SessionPool<S> {
  const free = [...options.sessions]
  const waiting = new Set<Waiter<S>>()

  function take(signal: AbortSignal): Promise<S> {
    signal.throwIfAborted()
    const session = free.pop()
    if (session !== undefined) return Promise.resolve(session)
    if (waiting.size >= options.maxWaiting) throw new QueueFull(`${waiting.size} statements already wait for a session`)
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(waiter)
        reject(signal.reason)
      }
      const waiter: Waiter<S> = {
        start(given) {
          signal.removeEventListener('abort', leave)
          resolve(given)
        },
      }
      waiting.add(waiter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  function give(session: S): void {
    const [next] = waiting
    if (!next) {
      free.push(session)
      return
    }
    waiting.delete(next)
    next.start(session)
  }

  /** Once `ended` has aborted, and the last call of `cancel` is over, whatever runs on the session next is safe from it. */
  async function cancelUntil(ended: AbortSignal, session: S): Promise<void> {
    while (!ended.aborted) {
      await options.cancel?.(session).catch(() => undefined)
      await delay(options.cancelEveryMs ?? 50, undefined, { signal: ended }).catch(() => undefined)
    }
  }

  return {
    async use(work, signal) {
      const session = await take(signal)
      const ended = new AbortController()
      let cancelling: Promise<void> | undefined
      const cancel = () => {
        cancelling = cancelUntil(ended.signal, session)
      }
      if (options.cancel) signal.addEventListener('abort', cancel, { once: true })
      try {
        // The session may have come in the moment in which the caller left.
        signal.throwIfAborted()
        return await work(session)
      } finally {
        signal.removeEventListener('abort', cancel)
        ended.abort()
        if (cancelling) {
          await cancelling
          await options.clear?.(session).catch(() => undefined)
        }
        give(session)
      }
    },
  }
}
