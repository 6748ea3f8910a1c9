import type { ZoneClock } from './zone-clock.ts'

/** The local date and time of a time zone at a moment. */
export interface LocalTime {
  /** `2026-10-25` */
  date: string
  /** `02:30:00`, to the second. */
  time: string
  /** How far the clock is ahead of UTC, as `+01:00`; with seconds where it has some, as clocks had until 1972. */
  offset: string
}

/** @param at seconds since 1970; parts of a second are cut off */
export function localTime(at: number, clock: ZoneClock): LocalTime {
  const second = Math.floor(at)
  const offset = clock.offsetAt(second)
  const [date = '', time = ''] = new Date((second + offset) * 1_000).toISOString().slice(0, -5).split('T')
  return { date, time, offset: offsetText(offset) }
}

function offsetText(seconds: number): string {
  const size = Math.abs(seconds)
  const parts = [Math.floor(size / 3_600), Math.floor(size / 60) % 60, ...(size % 60 === 0 ? [] : [size % 60])]
  return `${seconds < 0 ? '-' : '+'}${parts.map((part) => String(part).padStart(2, '0')).join(':')}`
}

const halfDaySeconds = 43_200

/**
 * The moment that a local time denotes, in whole seconds since 1970: the first one for a time that occurs twice, and the moment of the change for a
 * time that is skipped. `local` is the local time, read as if it were UTC.
 */
export function momentOfLocal(local: number, clock: ZoneClock): number {
  const last = clock.momentOf(local)
  const first = local - clock.offsetAt(last - halfDaySeconds)
  return first < last && first + clock.offsetAt(first) === local ? first : last
}
