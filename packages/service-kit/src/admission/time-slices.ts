import type { Pace } from '@heddle/core-api/internal'

/** Divides the event loop among long pieces of work, such as the checks of large bodies. */
export interface TimeSlices {
  /** The pace of one piece of work, whose first slice begins now. */
  begin(): Pace
}

const sliceMs = 8

/**
 * In each tick of the event loop one piece of work continues, in the order in which they stopped, so that many delay other work no more than one
 * does.
 */
export function createTimeSlices(): TimeSlices {
  const waiting: (() => void)[] = []
  let isScheduled = false

  function schedule(): void {
    isScheduled = waiting.length > 0
    if (isScheduled) setImmediate(continueNext)
  }

  function continueNext(): void {
    waiting.shift()?.()
    schedule()
  }

  return {
    begin() {
      let sinceMs = performance.now()
      const wait = () =>
        new Promise<void>((resolve) => {
          waiting.push(() => {
            sinceMs = performance.now()
            resolve()
          })
          if (!isScheduled) schedule()
        })
      return () => (performance.now() - sinceMs < sliceMs ? undefined : wait())
    },
  }
}

/** Slices of this process: it has one event loop, so all its long pieces of work share it, whichever request or service they belong to. */
export const timeSlices: TimeSlices = createTimeSlices()
