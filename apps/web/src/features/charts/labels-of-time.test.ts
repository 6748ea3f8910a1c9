import { expect, test } from 'vitest'
import { daysOf, labelsOfTime } from './labels-of-time.ts'

const every = (hours: number, count: number, start = '2026-11-20T00:00:00Z') =>
  Array.from({ length: count }, (_, at) => new Date(Date.parse(start) + at * hours * 3_600_000).toISOString())

test('quarters of a day are labelled where a day begins on the clock of the time zone', () => {
  const labels = labelsOfTime(every(6, 12, '2026-11-19T12:00:00Z'), 'UTC')
  expect(labels).toEqual([
    { at: 2, text: '20 Nov' },
    { at: 6, text: '21 Nov' },
    { at: 10, text: '22 Nov' },
  ])
})

test('hours of one day are labelled with their time', () =>
  expect(labelsOfTime(every(1, 4), 'Asia/Kolkata').map(({ text }) => text)).toEqual(['05:30', '06:30', '07:30', '08:30']))

test('minutes of half an hour are labelled at round times', () => {
  const minutes = Array.from({ length: 30 }, (_, at) => new Date(Date.UTC(2026, 10, 20, 1, 19 + at)).toISOString())
  expect(labelsOfTime(minutes, 'UTC').map(({ text }) => text)).toEqual(['01:20', '01:25', '01:30', '01:35', '01:40', '01:45'])
})

test('each day of a month has a label, and no time has none', () => {
  expect(labelsOfTime(every(24, 30), 'UTC').map(({ at }) => at)).toEqual(Array.from({ length: 30 }, (_, at) => at))
  expect(labelsOfTime([], 'UTC')).toEqual([])
})

test('a day is named in the time zone, without its year', () =>
  expect([daysOf('UTC'), daysOf('Asia/Tokyo')].map((dayOf) => dayOf('2026-11-20T20:00:00Z'))).toEqual(['20 Nov', '21 Nov']))
