/** Time and randomness, injected by tests. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number
  /** Milliseconds since 1970. */
  wallClock(): number
  /** From 0 to below 1. */
  random(): number
  /** Calls back after `ms` milliseconds. Does not keep the process alive unless requested. Returns a function that cancels. */
  after(ms: number, callback: () => void, options?: TimerOptions): () => void
}

export interface TimerOptions {
  /** For timeouts of promises that the program awaits: without it the process would exit before they fire. */
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

/** Timers are objects in Node and Bun, and numbers with a separate function in Deno. Elsewhere timers keep no process alive. */
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

/** Resolves after this many milliseconds, or immediately when the signal aborts. */
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
