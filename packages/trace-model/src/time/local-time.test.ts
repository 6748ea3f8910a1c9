import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { localTime, momentOfLocal } from './local-time.ts'
import { zoneClock } from './zone-clock.ts'

const seconds = (text: string) => Date.parse(text) / 1_000
function shown(text: string, zone: string): string {
  const { date, time, offset } = localTime(seconds(text), zoneClock(zone))
  return `${date} ${time}${offset}`
}

test.each([
  ['UTC', '2026-10-25T01:30:00Z', '2026-10-25 01:30:00+00:00'],
  // The clock goes back: it shows half past two twice.
  ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25 02:30:00+02:00'],
  ['Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-25 02:30:00+01:00'],
  // The clock goes forward: after two comes three.
  ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29 01:59:59+01:00'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29 03:00:00+02:00'],
  ['America/St_Johns', '2026-07-01T00:00:00Z', '2026-06-30 21:30:00-02:30'],
  ['America/St_Johns', '2026-01-01T00:00:00Z', '2025-12-31 20:30:00-03:30'],
  ['Australia/Lord_Howe', '2026-04-04T14:59:59Z', '2026-04-05 01:59:59+11:00'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '2026-04-05 01:30:00+10:30'],
  ['Europe/Amsterdam', '1930-01-01T00:00:00Z', '1930-01-01 00:00:00+00:00'],
  ['Africa/Monrovia', '1970-01-01T00:00:00Z', '1969-12-31 23:15:30-00:44:30'],
])('the clock of %s shows %s as %s', (zone, at, text) => {
  expect(shown(at, zone)).toBe(text)
})

test('parts of a second are cut off, also before 1970', () => {
  expect(localTime(1.9, zoneClock('UTC')).time).toBe('00:00:01')
  expect(localTime(-0.1, zoneClock('UTC'))).toMatchObject({ date: '1969-12-31', time: '23:59:59' })
})

test('a time with its offset is the moment that it was made of', () => {
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu')
  const moments = fc.integer({ min: seconds('1975-01-01T00:00:00Z'), max: seconds('2040-01-01T00:00:00Z') })
  fc.assert(
    fc.property(zones, moments, (zone, at) => {
      const { date, time, offset } = localTime(at, zoneClock(zone))
      expect(seconds(`${date}T${time}${offset}`)).toBe(at)
    }),
    { numRuns: inject('long') ? 5_000 : 200 },
  )
})

const meant = (text: string, zone: string) =>
  new Date(momentOfLocal(seconds(`${text}Z`), zoneClock(zone)) * 1_000).toISOString().slice(0, 16)

test.each([
  ['a usual time', 'Europe/Berlin', '2026-07-01T12:00', '2026-07-01T10:00'],
  ['a time that is shown twice', 'Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30'],
  ['a time that is left out', 'Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:00'],
  ['a midnight that is shown twice', 'America/Asuncion', '2024-03-23T23:30', '2024-03-24T02:30'],
  ['a midnight that is left out', 'Africa/Cairo', '2026-04-24T00:30', '2026-04-23T22:00'],
  ['half an hour that is shown twice', 'Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45'],
  ['half an hour that is left out', 'Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:30'],
  ['an offset of half an hour', 'America/St_Johns', '2026-11-01T00:30', '2026-11-01T03:00'],
  ['UTC', 'UTC', '2026-10-25T02:30', '2026-10-25T02:30'],
])('%s of the clock of a zone is one moment', (_what, zone, local, at) => {
  expect(meant(local, zone)).toBe(at)
})

test('what a clock shows is meant of the first moment at which it shows that', () => {
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Cairo', 'Pacific/Apia')
  const moments = fc.integer({ min: seconds('1975-01-01T00:00:00Z'), max: seconds('2040-01-01T00:00:00Z') })
  fc.assert(
    fc.property(zones, moments, (zone, at) => {
      const clock = zoneClock(zone)
      const shownAt = (moment: number) => moment + clock.offsetAt(moment)
      const moment = momentOfLocal(shownAt(at), clock)
      expect(moment).toBeLessThanOrEqual(at)
      expect(shownAt(moment)).toBe(shownAt(at))
    }),
    { numRuns: inject('long') ? 5_000 : 200 },
  )
})
