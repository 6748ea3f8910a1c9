import { stringifyJson } from '@heddle/json'
import { expect, test } from 'vitest'
import { createClock } from '../terminal/clock.ts'
import { type SourceFlags, toCollectOptions } from './from-traces-flags.ts'

const usual: SourceFlags = { limit: '10', groupBy: 'recorded', reward: 'recorded', judgeKeyVariable: 'KEY' }
const iso = (micros: number | undefined) => micros && new Date(micros / 1_000).toISOString()

/** The range that a day of traces has. */
function rangeOf(zone: string, since: string, until: string) {
  const { filter } = toCollectOptions({ ...usual, since, until }, createClock(zone))
  return [iso(filter.since), iso(filter.until)]
}

test.each([
  ['25 hours', 'Europe/Berlin', '2026-10-25', '2026-10-26', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['23 hours', 'Europe/Berlin', '2026-03-29', '2026-03-30', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['25 hours', 'America/St_Johns', '2026-11-01', '2026-11-02', '2026-11-01T02:30:00.000Z', '2026-11-02T03:30:00.000Z'],
  ['23.5 hours', 'Australia/Lord_Howe', '2026-10-04', '2026-10-05', '2026-10-03T13:30:00.000Z', '2026-10-04T13:00:00.000Z'],
  ['24 hours', 'UTC', '2026-10-25', '2026-10-26', '2026-10-25T00:00:00.000Z', '2026-10-26T00:00:00.000Z'],
])('a day of %s in %s is chosen by its dates', (_, zone, since, until, from, to) => {
  expect(rangeOf(zone, since, until)).toEqual([from, to])
})

test('a time with an offset is the same in every zone', () => {
  const ranges = ['UTC', 'Europe/Berlin'].map((zone) => rangeOf(zone, '2026-10-25T00:00Z', '2026-10-25 02:00+02:00'))
  expect(ranges).toEqual([
    ['2026-10-25T00:00:00.000Z', '2026-10-25T00:00:00.000Z'],
    ['2026-10-25T00:00:00.000Z', '2026-10-25T00:00:00.000Z'],
  ])
})

test('a query keeps the exact numbers of its conditions', () => {
  const query = '{"$eq":[{"$getField":"inputs.id"},{"$literal":9007199254740993}]}'
  const { filter } = toCollectOptions({ ...usual, query }, createClock('UTC'))
  expect(stringifyJson(filter.query)).toBe(query)
})
