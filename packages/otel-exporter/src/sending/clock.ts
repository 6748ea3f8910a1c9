/** Time and chance, so that tests decide about both. */
export interface Clock {
  /** Milliseconds that only ever grow. */
  now(): number
  /** Milliseconds since 1970. */
  wallClock(): number
  /** From 0 up to, but not, 1. */
  random(): number
  /** Calls back after `ms` milliseconds. Does not keep the process alive for it unless told to. Returns how to cancel. */
  after(ms: number, callback: () => void, options?: TimerOptions): () => void
}

export interface TimerOptions {
  /** For timers that bound what the program itself waits for: without them it would end before it has its answer. */
  keepsProcessAlive: boolean
}

export function createSystemClock(): Clock {
  return {
    now: () => performance.now(),
    wallClock: () => Date.now(),
    random: Math.random,
    after(ms, callback, options) {
      const timer: unknown = setTimeout(callback, ms)
      if (options?.keepsProcessAlive !== true) unref(timer)
      return () => clearTimeout(timer as number)
    },
  }
}

/** Node and Bun answer with an object, Deno with a number for a function of its own. Elsewhere no process waits for timers. */
function unref(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as { unref(): void }).unref()
  else (globalThis as { Deno?: { unrefTimer?(timer: unknown): void } }).Deno?.unrefTimer?.(timer)
}

/** Resolves when `work` has settled or after `ms` milliseconds, and keeps the process alive until then. Never rejects. */
export function waitAtMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve, { keepsProcessAlive: true })
    const finish = () => {
      cancel()
      resolve()
    }
    void work.then(finish, finish)
  })
}

/** Resolves after so many milliseconds, or at once when the signal ends it. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', wake)
      resolve()
    })
    const wake = () => {
      cancel()
      resolve()
    }
    signal.addEventListener('abort', wake, { once: true })
  })
}
