import type { Timing } from '../../timing.ts'

/** Time that passes only when it is told to. */
export interface VirtualTime extends Timing {
  /** Lets so many milliseconds pass, and whatever is due in them happen, in its order. */
  pass(ms: number): Promise<void>
  /** Lets time pass until the work is done. @throws Error when that takes longer than `maxMs` */
  until<T>(work: Promise<T>, maxMs: number): Promise<T>
  /** Forgets all that waits: whoever waited has died. */
  drop(): void
  /** How many wait. */
  readonly waiting: number
}

interface Waiting {
  at: number
  callback(): void
}

export function createVirtualTime(random: () => number): VirtualTime {
  const waiting = new Set<Waiting>()
  let now = 0

  /** Of those that are due at the same time, the one that waits longest. */
  function nextUntil(end: number): Waiting | undefined {
    let next: Waiting | undefined
    for (const each of waiting) {
      if (each.at <= end && (!next || each.at < next.at)) next = each
    }
    return next
  }

  async function step(end: number): Promise<boolean> {
    const next = nextUntil(end)
    if (!next) return false
    waiting.delete(next)
    now = next.at
    next.callback()
    await settled()
    return true
  }

  return {
    now: () => now,
    random,
    after(ms, callback) {
      const each = { at: now + Math.max(0, ms), callback }
      waiting.add(each)
      return () => void waiting.delete(each)
    },
    async pass(ms) {
      const end = now + ms
      await settled()
      while (await step(end));
      now = end
    },
    async until(work, maxMs) {
      const end = now + maxMs
      let isOver = false
      const over = () => void (isOver = true)
      work.then(over, over)
      await settled()
      while (!isOver && (await step(end)));
      if (!isOver) throw new Error(`not done within ${maxMs} ms`)
      return work
    },
    drop: () => waiting.clear(),
    get waiting() {
      return waiting.size
    },
  }
}

/** Work that waits for nothing goes on until it waits for time. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
