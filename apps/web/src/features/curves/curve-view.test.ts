import { expect, test } from 'vitest'
import { searchOf } from '../../lib/search.ts'
import { curveParams } from './curve-search.ts'
import { placeOf, rangeOfValues } from './curve-view.ts'

const points = [
  { step: 1, at: '2026-01-01T00:00:00Z', value: 1 },
  { step: 2, at: '2026-01-01T00:00:30Z', value: 2 },
]

test.each([
  ['step', 2],
  ['relative', 30],
  ['clock', Date.parse('2026-01-01T00:00:30Z')],
] as const)('points stand by %s', (axis, place) => expect(placeOf(points, axis)(points[1]!)).toBe(place))

test('without times, points stand by their step on every axis', () =>
  expect(placeOf([{ step: 3, value: 1 }], 'clock')({ step: 3 })).toBe(3))

test('a logarithmic scale has no place for 0 and less, and says how many it leaves out', () => {
  expect(rangeOfValues([0, -1, 10, 1000], { scale: 'log' })).toEqual({ low: 10, high: 1000, leftOut: 2 })
  expect(rangeOfValues([0], { scale: 'log' })).toBeUndefined()
})

test('outliers are left out of many points, not of a few', () => {
  const many = [...Array.from({ length: 50 }, (_, at) => at), 1e9]
  expect(rangeOfValues(many, { outliers: 'out' })).toEqual({ low: 2, high: 48, leftOut: 4 })
  expect(rangeOfValues(many, {})).toEqual({ low: 0, high: 1e9, leftOut: 0 })
  expect(rangeOfValues([0, 1, 1e9], { outliers: 'out' })?.high).toBe(1e9)
})

test('an address with other values than a chart knows draws it as usual', () => {
  expect(searchOf(curveParams)({ smooth: 0, scale: 'log', axis: 'clock', outliers: 'out', from: 1, to: '5' })).toEqual({
    smooth: 0,
    scale: 'log',
    axis: 'clock',
    outliers: 'out',
    from: 1,
    to: 5,
  })
  expect(searchOf(curveParams)({ smooth: 1, scale: 'cube', axis: 'x', outliers: 1, from: 'a' })).toEqual({})
})
