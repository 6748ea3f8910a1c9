/** A clock that tests advance, with its timers and random numbers, in the form that our packages take. */
export interface VirtualClock {
  /** Milliseconds, from 0. */
  now(): number
  /** The same as milliseconds since 1970. */
  wallClock(): number
  /** 0 to below 1. */
  random(): number
  /** Calls back once after a delay in milliseconds. Returns how to cancel. */
  after(ms: number, callback: () => void): () => void
  /** Advances by milliseconds; the timers that are due fire in order. */
  advance(ms: number): Promise<void>
  /** Lets time pass until the work is done. @throws Error when that takes longer than `maxMs` */
  advanceUntil<T>(work: Promise<T>, maxMs: number): Promise<T>
  /** Cancels all timers: what set them has died. */
  cancelAll(): void
  /** How many timers have not fired. */
  readonly pending: number
}

export interface VirtualClockOptions {
  /** Default: always a half. */
  random?: () => number
  /** Ticks of the event loop that work gets after each timer, before time passes again: more than 1 where it also waits for the disk. */
  ticks?: number
}

interface Timer {
  at: number
  callback(): void
}

const startMs = 1_800_000_000_000

export function createVirtualClock({ random = () => 0.5, ticks = 1 }: VirtualClockOptions = {}): VirtualClock {
  const timers = new Set<Timer>()
  let now = 0

  /** Of those that are due at the same time, the one that was set first. */
  function nextUntil(end: number): Timer | undefined {
    let next: Timer | undefined
    for (const timer of timers) {
      if (timer.at <= end && (!next || timer.at < next.at)) next = timer
    }
    return next
  }

  /** Work that waits for no time continues until it waits for some. */
  async function settle(): Promise<void> {
    for (let tick = 0; tick < ticks; tick++) await new Promise((resolve) => void setImmediate(resolve))
  }

  async function fireNext(end: number): Promise<boolean> {
    const next = nextUntil(end)
    if (!next) return false
    timers.delete(next)
    now = next.at
    next.callback()
    await settle()
    return true
  }

  return {
    now: () => now,
    wallClock: () => startMs + now,
    random,
    after(ms, callback) {
      const timer = { at: now + Math.max(0, ms), callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    async advance(ms) {
      const end = now + ms
      await settle()
      while (await fireNext(end));
      now = end
    },
    async advanceUntil(work, maxMs) {
      const end = now + maxMs
      let isDone = false
      const finish = () => void (isDone = true)
      work.then(finish, finish)
      await settle()
      while (!isDone && (await fireNext(end)));
      if (!isDone) throw new Error(`not done within ${maxMs} ms`)
      return work
    },
    cancelAll: () => timers.clear(),
    get pending() {
      return timers.size
    },
  }
}
