import process from 'node:process'
import type { Clock } from '../sending/clock.ts'

/** Time that passes only when it is told to. */
export interface VirtualClock extends Clock {
  /** Lets so many milliseconds pass, and whatever is due in them happen, work on the disk included. */
  advance(ms: number): Promise<void>
}

interface Timer {
  at: number
  callback(): void
}

/** Chance is fixed too: every wait between attempts is half of the longest. */
export function createVirtualClock(): VirtualClock {
  let now = 0
  let timers: Timer[] = []
  const findNext = (until: number) =>
    timers.reduce<Timer | undefined>((next, timer) => (timer.at <= until && timer.at < (next?.at ?? Infinity) ? timer : next), undefined)
  return {
    now: () => now,
    wallClock: () => 1_800_000_000_000 + now,
    random: () => 0.5,
    after(ms, callback) {
      const timer = { at: now + ms, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    async advance(ms) {
      const end = now + ms
      await settle()
      for (let next = findNext(end); next !== undefined; next = findNext(end)) {
        now = Math.max(now, next.at)
        timers = timers.filter((other) => other !== next)
        next.callback()
        await settle()
      }
      now = end
    },
  }
}

/** Event-loop ticks without work on the disk after which nothing goes on before time passes. */
const quietTicks = 3

/** Work that needs no time goes on until it waits for some. The disk takes real time, in which no virtual time passes. */
async function settle(): Promise<void> {
  for (let quiet = 0; quiet < quietTicks; quiet = isDiskBusy() ? 0 : quiet + 1) await new Promise((resolve) => setImmediate(resolve))
}

function isDiskBusy(): boolean {
  return process.getActiveResourcesInfo().some((resource) => resource === 'FSReqPromise' || resource === 'FSReqCallback')
}
