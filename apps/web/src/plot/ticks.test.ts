import { scaleLinear } from 'd3-scale'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endsOf, orEnds, ticksOf, tickTexts, valueTicks } from './ticks.ts'

test('ticks are round numbers', () => expect(ticksOf(scaleLinear([0, 1]), 2)).toEqual([0, 0.5, 1]))

test('any ends have a bounded number of ticks, also where no step can be written between them', () => {
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, 5e-324, -5e-324, 1e-308, 1.7e308, -1.7e308),
  )
  fc.assert(fc.property(number, number, (a, b) => ticksOf(scaleLinear([a, b]), 4).length < 20))
})

test.each([
  [0.2, 0.4, [0.2, 0.4]],
  [0.68, 0.68, [0, 0.68]],
  [0.0003, 0.0003, [0, 0.0003]],
  [-2, -2, [-2, 0]],
  [0, 0, [0, 1]],
])('an axis of values from %d to %d goes from %j', (low, high, ends) => expect(endsOf(low, high)).toEqual(ends))

test.each([
  [
    [0, 0.5, 1],
    ['0.0', '0.5', '1.0'],
  ],
  [
    [0, 1, 2],
    ['0', '1', '2'],
  ],
  [
    [0.998, 0.999, 1, 1.001],
    ['0.998', '0.999', '1.000', '1.001'],
  ],
])('ticks at %j say %j', (ticks, texts) => expect(tickTexts(ticks, (value) => String(Number(value.toPrecision(3))))).toEqual(texts))

test('an axis with one round place is labelled at its ends', () => {
  expect(orEnds([5], [1, 8])).toEqual([1, 8])
  expect(orEnds([], [1, 8])).toEqual([1, 8])
  expect(orEnds([0, 5], [0, 8])).toEqual([0, 5])
  expect(orEnds([3], [3, 3])).toEqual([3])
})

test('units and currencies stay, and numbers of one unit have equally many decimals', () => {
  expect(tickTexts([0, 0.05, 0.1], (value) => `$${value}`)).toEqual(['$0.00', '$0.05', '$0.10'])
  expect(tickTexts([0.5, 1, 1.5], (value) => (value < 1 ? `${value * 1_000} ms` : `${value} s`))).toEqual(['500 ms', '1.0 s', '1.5 s'])
})

test('the highest value of an axis chooses the unit, and counts have whole values alone', () => {
  expect(tickTexts([500, 1_000], (value, most = value) => (most < 1_000 ? `${value} ms` : `${value / 1_000} s`))).toEqual([
    '0.5 s',
    '1.0 s',
  ])
  expect(valueTicks(scaleLinear([0, 2], [100, 0]), 4, String, true)).toEqual([
    { at: 100, text: '0' },
    { at: 50, text: '1' },
    { at: 0, text: '2' },
  ])
  expect(valueTicks(scaleLinear([0, 1]), 2, String).map(({ text }) => text)).toEqual(['0.0', '0.5', '1.0'])
})
