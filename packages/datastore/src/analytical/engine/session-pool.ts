/** A resource that one caller at a time may use, from a fixed set. */
export interface SessionPool<S> {
  /**
   * Runs `work` with a session of its own, after the callers that came before.
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

export function createSessionPool<S>(options: { sessions: readonly S[]; maxWaiting: number }): SessionPool<S> {
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

  return {
    async use(work, signal) {
      const session = await take(signal)
      try {
        return await work(session)
      } finally {
        give(session)
      }
    },
  }
}
