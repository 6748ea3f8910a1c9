import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { bucketStarts } from './bucket-starts.ts'

const seconds = (text: string) => Date.parse(text) / 1000
const texts = (starts: readonly number[]) => starts.map((start) => new Date(start * 1000).toISOString().slice(0, 16))
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC']

function bucketsOf(start: string, end: string, granularity: number, timezone: string): string[] {
  return texts(bucketStarts({ start: seconds(start), end: seconds(end), granularity, timezone }))
}

test('the first bucket holds the start, the last starts before the end', () => {
  expect(bucketsOf('2026-03-01T00:10:00Z', '2026-03-01T02:00:00Z', 3600, 'UTC')).toEqual(['2026-03-01T00:00', '2026-03-01T01:00'])
})

test.each([
  ['23 hours', 'Europe/Berlin', '2026-03-28T23:00', '2026-03-29T22:00'],
  ['25 hours', 'Europe/Berlin', '2026-10-24T22:00', '2026-10-25T23:00'],
  ['23 hours', 'America/New_York', '2026-03-08T05:00', '2026-03-09T04:00'],
  ['25 hours', 'America/New_York', '2026-11-01T04:00', '2026-11-02T05:00'],
  ['24.5 hours', 'Australia/Lord_Howe', '2026-04-04T13:00', '2026-04-05T13:30'],
  ['23.5 hours', 'Australia/Lord_Howe', '2026-10-03T13:30', '2026-10-04T13:00'],
  ['24 hours', 'Asia/Kathmandu', '2026-10-24T18:15', '2026-10-25T18:15'],
  ['25 hours with 23 to 24 o’clock twice', 'America/Asuncion', '2024-03-23T03:00', '2024-03-24T04:00'],
])('a day of %s in %s is one bucket', (_, zone, from, to) => {
  expect(bucketsOf(`${from}:00Z`, `${to}:00Z`, 86_400, zone)).toEqual([from])
  expect(bucketsOf(`${from}:00Z`, `${to}:01Z`, 86_400, zone)).toEqual([from, to])
})

test('a day that the clock leaves out has no bucket', () => {
  expect(bucketsOf('2011-12-29T12:00:00Z', '2011-12-31T12:00:00Z', 86_400, 'Pacific/Apia')).toEqual([
    '2011-12-29T10:00',
    '2011-12-30T10:00',
    '2011-12-31T10:00',
  ])
})

test('an hour that the clock shows twice makes two buckets', () => {
  const hours = ['2026-10-24T23:00', '2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00']
  expect(bucketsOf('2026-10-24T23:00:00Z', '2026-10-25T03:00:00Z', 3600, 'Europe/Berlin')).toEqual(hours)
})

test('a change of half an hour starts a bucket of half an hour', () => {
  const hours = ['2026-04-04T14:00', '2026-04-04T15:00', '2026-04-04T15:30', '2026-04-04T16:30']
  expect(bucketsOf('2026-04-04T14:00:00Z', '2026-04-04T17:00:00Z', 3600, 'Australia/Lord_Howe')).toEqual(hours)
})

test('an empty range has no bucket', () => {
  const start = seconds('2026-03-01T00:00:00Z')
  expect(bucketStarts({ start, end: start, granularity: 60, timezone: 'UTC' })).toEqual([])
})

/** What the clock of a zone shows. */
function clockText(at: number, timeZone: string): { day: string; hour: string; time: string } {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const [day = '', time = ''] = format.format(at * 1000).split(' ')
  return { day, hour: `${day} ${time.slice(0, 2)}`, time }
}

const someRange = fc.record({
  start: fc.integer({ min: seconds('2005-01-01T00:00:00Z'), max: seconds('2036-01-01T00:00:00Z') }),
  length: fc.integer({ min: 1, max: 31 * 86_400 }),
  timezone: fc.constantFrom(...zones),
  moments: fc.array(fc.double({ min: 0, max: 0.999_999, noNaN: true }), { minLength: 1, maxLength: 20 }),
})
const numRuns = () => (inject('long') ? 1_000 : 20)

test.each([
  ['day', 86_400],
  ['hour', 3_600],
] as const)('each moment is in the one bucket of its local %s, as Intl tells it', (unit, granularity) => {
  fc.assert(
    fc.property(someRange, ({ start, length, timezone, moments }) => {
      const end = start + length
      const starts = bucketStarts({ start, end, granularity, timezone })
      expect(starts[0]).toBeLessThanOrEqual(start)
      expect(starts.at(-1)).toBeLessThan(end)
      for (const [index, from] of starts.entries()) {
        const { time, ...shown } = clockText(from, timezone)
        const isFull = unit === 'day' ? time === '00:00:00' : time.endsWith('00:00')
        // There the clock changes by half an hour, which ends a bucket.
        expect(isFull || (unit === 'hour' && timezone === 'Australia/Lord_Howe')).toBe(true)
        const next = starts[index + 1] ?? end
        expect(next).toBeGreaterThan(from)
        expect(clockText(next - 1, timezone)[unit]).toBe(shown[unit])
      }
      for (const share of moments) {
        const moment = Math.floor(start + share * length)
        const holding = starts.filter((from, index) => from <= moment && moment < (starts[index + 1] ?? end))
        expect(holding.map((from) => clockText(from, timezone)[unit])).toEqual([clockText(moment, timezone)[unit]])
        if (unit === 'day') expect(new Set(starts.map((from) => clockText(from, timezone).day)).size).toBe(starts.length)
      }
    }),
    { numRuns: numRuns() },
  )
})

test('a bucket may be longer than all of time', () => {
  const start = seconds('2026-03-01T00:00:00Z')
  expect(bucketStarts({ start, end: start + 1, granularity: 1e14, timezone: 'Europe/Berlin' })).toHaveLength(1)
  expect(bucketStarts({ start: -start, end: start, granularity: 1e14, timezone: 'Europe/Berlin' })).toHaveLength(2)
})

test('buckets of any length rise and cover the range', () => {
  const granularities = fc.integer({ min: 268, max: 40 * 86_400 })
  fc.assert(
    fc.property(someRange, granularities, ({ start, length, timezone }, granularity) => {
      const starts = bucketStarts({ start, end: start + length, granularity, timezone })
      expect(starts[0]).toBeLessThanOrEqual(start)
      expect(starts[1] ?? Infinity).toBeGreaterThan(start)
      expect(starts.at(-1)).toBeLessThan(start + length)
      for (let index = 1; index < starts.length; index++) expect(starts[index]).toBeGreaterThan(starts[index - 1] ?? 0)
    }),
    { numRuns: numRuns() },
  )
})
