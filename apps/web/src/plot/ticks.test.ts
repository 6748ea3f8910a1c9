import { scaleLinear } from 'd3-scale'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endsOf, orEnds, ticksOf, tickTexts } from './ticks.ts'

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
    ['0', '0.5', '1'],
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
