import { expect, test } from 'vitest'
import { createClock } from './clock.ts'

const micros = (text: string) => Date.parse(text) * 1_000
const isoOf = (at: number | undefined) => at && new Date(at / 1_000).toISOString()

test.each([
  ['UTC', '2023-11-14 22:13:20', '2023-11-14 22:13:20 UTC'],
  ['Etc/UTC', '2023-11-14 22:13:20', '2023-11-14 22:13:20 UTC'],
  ['Europe/Berlin', '2023-11-14 23:13:20+01:00', '2023-11-14 23:13:20+01:00'],
  ['America/St_Johns', '2023-11-14 18:43:20-03:30', '2023-11-14 18:43:20-03:30'],
])('a time in %s is shown to the second', (zone, text, wholeText) => {
  const clock = createClock(zone)
  expect([clock.text(1_700_000_000_999_999), clock.wholeText(1_700_000_000_999_999)]).toEqual([text, wholeText])
})

test('the offset distinguishes two moments with the same local time', () => {
  const { text } = createClock('Europe/Berlin')
  expect(text(micros('2026-10-25T00:30:00Z'))).toBe('2026-10-25 02:30:00+02:00')
  expect(text(micros('2026-10-25T01:30:00Z'))).toBe('2026-10-25 02:30:00+01:00')
})

test.each([
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
  ['America/St_Johns', '2026-03-08', '2026-03-08T03:30:00.000Z'],
  ['America/St_Johns', '2026-03-09', '2026-03-09T02:30:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-06', '2026-04-05T13:30:00.000Z'],
  ['UTC', '2026-10-25', '2026-10-25T00:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['Europe/Berlin', ' 2026-10-25 12:00:00.5 ', '2026-10-25T11:00:00.500Z'],
  // What names its offset, or counts seconds, is the same in every zone.
  ['Europe/Berlin', '2026-10-25T02:30:00Z', '2026-10-25T02:30:00.000Z'],
  ['Europe/Berlin', '2026-10-25 02:30-03:30', '2026-10-25T06:00:00.000Z'],
  ['Europe/Berlin', '1700000000', '2023-11-14T22:13:20.000Z'],
])('in %s "%s" is %s', (zone, text, at) => {
  expect(isoOf(createClock(zone).parse(text))).toBe(at)
})

test.each(['yesterday', '2026-02-30', '2026-10-25T25:00', ''])('"%s" is not a time', (text) => {
  expect(createClock('Europe/Berlin').parse(text)).toBeUndefined()
})

test('what is shown is read as the same second', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe']) {
    const clock = createClock(zone)
    for (const at of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z'])
      expect(clock.parse(clock.text(micros(at)))).toBe(micros(at))
  }
})

test('without a choice the zone is that of this machine', () => {
  expect(createClock(undefined).text(0)).toBe(createClock(Intl.DateTimeFormat().resolvedOptions().timeZone).text(0))
})
