import { setMaxListeners } from 'node:events'

/** The time in which an answer is waited for. */
export interface RequestLifetime {
  /** Aborts when the time is over or the caller's signal aborts. */
  readonly signal: AbortSignal
  /** True when the time was over. */
  readonly isOver: boolean
  /** Resolves with the work, or rejects as soon as the signal aborts. */
  race(work: Promise<void>): Promise<void>
  /** Lifts the limit of time; the caller's signal stays. */
  keep(): void
  /** Waits for nothing any more. */
  end(): void
}

/** Begins a wait of at most so many seconds. Listens to the caller's signal until it ends, so a signal of a long life gathers no listeners. */
export function startLifetime(seconds: number, caller: AbortSignal | undefined): RequestLifetime {
  const controller = new AbortController()
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    controller.abort(new Error(`no answer within ${seconds} seconds`))
  }, seconds * 1000)
  // A request may have many statements at once.
  if (caller) setMaxListeners(0, caller)
  const follow = () => controller.abort(caller?.reason)
  if (caller?.aborted) follow()
  else caller?.addEventListener('abort', follow, { once: true })
  const keep = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    get isOver() {
      return isOver
    },
    race: (work) => untilAborted(work, controller.signal),
    keep,
    end() {
      keep()
      caller?.removeEventListener('abort', follow)
    },
  }
}

async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
