import { expect, test } from 'vitest'
import { daysOf, daysOrTimesOf, labelsOfTime, startsOf } from './labels-of-time.ts'

const every = (hours: number, count: number, start = '2026-11-20T00:00:00Z') =>
  Array.from({ length: count }, (_, at) => new Date(Date.parse(start) + at * hours * 3_600_000).toISOString())

const november = (day: number) =>
  new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(Date.UTC(2026, 10, day))

test('quarters of a day are labelled where a day begins on the clock of the time zone', () => {
  const labels = labelsOfTime(every(6, 12, '2026-11-19T12:00:00Z'), 'UTC')
  expect(labels).toEqual([
    { at: 2, text: november(20) },
    { at: 6, text: november(21) },
    { at: 10, text: november(22) },
  ])
})

test('a little more than a day is labelled with times, and with the day that begins in it', () =>
  expect(labelsOfTime(every(1, 27, '2026-11-19T15:00:00Z'), 'UTC').map(({ text }) => text)).toEqual([
    '15:00',
    '18:00',
    '21:00',
    november(20),
    '03:00',
    '06:00',
    '09:00',
    '12:00',
    '15:00',
  ]))

test('hours of one day are labelled with their time', () =>
  expect(labelsOfTime(every(1, 4), 'Asia/Kolkata').map(({ text }) => text)).toEqual(['05:30', '06:30', '07:30', '08:30']))

test('minutes of half an hour are labelled at round times', () => {
  const minutes = Array.from({ length: 30 }, (_, at) => new Date(Date.UTC(2026, 10, 20, 1, 19 + at)).toISOString())
  expect(labelsOfTime(minutes, 'UTC').map(({ text }) => text)).toEqual(['01:20', '01:25', '01:30', '01:35', '01:40', '01:45'])
})

test('parts of two seconds are labelled and named to the second', () => {
  const parts = Array.from({ length: 45 }, (_, at) => new Date(Date.UTC(2026, 10, 20, 1, 19, 30 + 2 * at)).toISOString())
  const texts = labelsOfTime(parts, 'UTC').map(({ text }) => text)
  expect(texts.join(' ')).toBe('01:19:30 01:19:40 01:19:50 01:20:00 01:20:10 01:20:20 01:20:30 01:20:40 01:20:50')
  expect(startsOf(parts, 'UTC')(parts[1] ?? '')).toContain('01:19:32')
})

test('hours are named to the minute', () => expect(startsOf(every(1, 2), 'UTC')(every(1, 2)[1] ?? '')).toMatch(/01:00$/))

test('each day of a month has a label, and no time has none', () => {
  expect(labelsOfTime(every(24, 30), 'UTC').map(({ at }) => at)).toEqual(Array.from({ length: 30 }, (_, at) => at))
  expect(labelsOfTime([], 'UTC')).toEqual([])
})

test('a day is named in the time zone, without its year', () =>
  expect([daysOf('UTC'), daysOf('Asia/Tokyo')].map((dayOf) => dayOf('2026-11-20T20:00:00Z'))).toEqual([november(20), november(21)]))

test('starts within one day are named by their time, others by their day', () => {
  const [first = '', next = '', other = ''] = ['2026-11-20T08:05:00Z', '2026-11-20T20:00:00Z', '2026-11-21T20:00:00Z']
  expect([first, next].map(daysOrTimesOf([first, next], 'UTC'))).toEqual(['08:05', '20:00'])
  expect([first, other].map(daysOrTimesOf([first, next, other], 'UTC'))).toEqual([november(20), november(21)])
})
