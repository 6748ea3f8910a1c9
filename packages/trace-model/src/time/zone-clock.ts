/** The clock of a time zone. All times are seconds since 1970. */
export interface ZoneClock {
  /** Seconds that the clock is ahead of UTC at a moment. */
  offsetAt(at: number): number
  /**
   * The first moment in `(from, to]` from which the clock has another offset than at `from`; undefined without one. `from` and `to` are at most a day
   * apart.
   */
  nextChange(from: number, to: number): number | undefined
  /** The first moment from which on the clock shows `local` or later. `local` is the local time, read as if it were UTC. */
  momentOf(local: number): number
}

const daySeconds = 86_400
/** Dates have years of three and more digits between them; zones have the same offset before and after. */
const [firstSecond, lastSecond] = [-5e10, 8e12]

/** @param timeZone IANA name. @throws RangeError for a name that the time zone database does not have. */
export function zoneClock(timeZone: string): ZoneClock {
  const offsetAt = offsetsOf(timeZone)
  function nextChange(from: number, to: number): number | undefined {
    const before = offsetAt(from)
    if (offsetAt(to) === before) return undefined
    let [same, changed] = [from, to]
    while (changed - same > 1) {
      const middle = Math.floor((same + changed) / 2)
      if (offsetAt(middle) === before) same = middle
      else changed = middle
    }
    return changed
  }
  return {
    offsetAt,
    nextChange,
    momentOf(local) {
      const near = local - offsetAt(local)
      const before = offsetAt(near - daySeconds / 2)
      const change = nextChange(near - daySeconds / 2, near + daySeconds / 2)
      if (change === undefined) return local - before
      const after = offsetAt(change)
      return change + after < local ? local - after : Math.min(local - before, change)
    },
  }
}

/** True for a name that the time zone database has. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** IANA name of the time zone of this machine or browser; UTC where it has none that is known. */
export function ownTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return isTimeZone(timeZone) ? timeZone : 'UTC'
}

function offsetsOf(timeZone: string): (at: number) => number {
  if (timeZone === 'UTC') return () => 0
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (moment) => {
    const at = Math.min(Math.max(moment, firstSecond), lastSecond)
    const parts = Object.fromEntries(format.formatToParts(at * 1000).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - at
  }
}
