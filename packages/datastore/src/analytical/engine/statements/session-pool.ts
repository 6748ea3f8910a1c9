import { setTimeout as delay } from 'node:timers/promises'

/** A fixed set of sessions, each used by one caller at a time. */
export interface SessionPool<S> {
  /**
   * Runs `work` with an exclusive session, first come first served. When the signal aborts meanwhile, the statement on the session is
   * cancelled, and the session is released once it has ended.
   * @throws QueueFull immediately when the queue is full; the signal's reason when it aborts while queued.
   */
  use<T>(work: (session: S) => Promise<T>, signal: AbortSignal): Promise<T>
  /** Resolves once no session is in use, nor being cleared. For a pool that gets no more work. */
  idle(): Promise<void>
}

/** The queue of the pool is full. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

interface Waiter<S> {
  start(session: S): void
}

export interface SessionPoolOptions<S> {
  sessions: readonly S[]
  maxWaiting: number
  /**
   * Cancels the statement of a session. It may be called before the statement has started, so it is repeated until the work ends. Absent: no
   * cancellation.
   */
  cancel?: (session: S) => Promise<unknown>
  /**
   * Removes what work that failed or was cancelled left in the session, before the session is reused. A session that
   * cannot be cleared is never used again, and its caller gets that error.
   */
  clear?: (session: S) => Promise<unknown>
  /** Milliseconds between two calls of `cancel`. Default 50. */
  cancelEveryMs?: number
}

export function createSessionPool<S>(options: SessionPoolOptions<S>): SessionPool<S> {
  const free = [...options.sessions]
  const waiting = new Set<Waiter<S>>()
  const uses = new Set<Promise<unknown>>()

  function take(signal: AbortSignal): Promise<S> {
    signal.throwIfAborted()
    const session = free.pop()
    if (session !== undefined) return Promise.resolve(session)
    if (waiting.size >= options.maxWaiting) throw new QueueFull(`${waiting.size} statements are already queued`)
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

  /** Resolves after `ended` has aborted and the last call of `cancel` has finished, so that it cannot hit the next statement of the session. */
  async function cancelUntil(ended: AbortSignal, session: S): Promise<void> {
    while (!ended.aborted) {
      await options.cancel?.(session).catch(() => undefined)
      await delay(options.cancelEveryMs ?? 50, undefined, { signal: ended }).catch(() => undefined)
    }
  }

  async function runWith<T>(work: (session: S) => Promise<T>, signal: AbortSignal): Promise<T> {
    const session = await take(signal)
    const ended = new AbortController()
    let cancelling: Promise<void> | undefined
    const cancel = () => {
      cancelling = cancelUntil(ended.signal, session)
    }
    if (options.cancel) signal.addEventListener('abort', cancel, { once: true })
    let isComplete = false
    try {
      // The session may have been assigned just as the caller disconnected.
      signal.throwIfAborted()
      const result = await work(session)
      isComplete = true
      return result
    } finally {
      signal.removeEventListener('abort', cancel)
      ended.abort()
      await cancelling
      if (cancelling || !isComplete) await options.clear?.(session)
      give(session)
    }
  }

  return {
    async use(work, signal) {
      const run = runWith(work, signal)
      uses.add(run)
      try {
        return await run
      } finally {
        uses.delete(run)
      }
    },
    async idle() {
      await Promise.allSettled(uses)
    },
  }
}
