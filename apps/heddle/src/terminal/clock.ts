import { parseTimestamp } from '@heddle/core-api'
import { localTime, momentOfLocal, ownTimeZone, zoneClock } from '@heddle/trace-model/time'

/** How a command shows times to people, and reads those that they type: on the clock of one time zone. Output for programs is in UTC. */
export interface Clock {
  /** Name of the zone, for the head of a column. */
  zone: string
  /** `2026-11-21 14:47:18` where the zone is UTC; elsewhere with the offset, as `2026-11-21 15:47:18+01:00`: clocks show some times twice. */
  text(micros: number): string
  /** The same with the zone, where no heading names it: `2026-11-21 14:47:18 UTC`, `2026-11-21 15:47:18+01:00`. */
  wholeText(micros: number): string
  /**
   * Microseconds of a typed time, in the forms of `parseTimestamp`; one without an offset is of this zone. Of a time that the clock shows twice that is
   * the first one, for a time that it leaves out the moment of its change. Undefined for any other text.
   */
  parse(text: string): number | undefined
}

/** A date, or a date with a time, without an offset. */
const localForm = /^\s*\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)?\s*$/
const second = 1_000_000

/** @param timeZone IANA name; undefined: that of this machine */
export function createClock(timeZone = ownTimeZone()): Clock {
  const clock = zoneClock(timeZone)
  const isUtc = isNameOfUtc(timeZone)
  function text(micros: number): string {
    const { date, time, offset } = localTime(micros / second, clock)
    return `${date} ${time}${isUtc ? '' : offset}`
  }
  return {
    zone: isUtc ? 'UTC' : timeZone,
    text,
    wholeText: (micros) => `${text(micros)}${isUtc ? ' UTC' : ''}`,
    parse(typed) {
      const micros = parseTimestamp(typed)
      if (micros === undefined || !localForm.test(typed)) return micros
      const whole = Math.floor(micros / second)
      return momentOfLocal(whole, clock) * second + (micros - whole * second)
    },
  }
}

const isNameOfUtc = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone === 'UTC'
