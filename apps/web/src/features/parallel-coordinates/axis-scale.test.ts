import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxTexts, placeOf, toScale, valueAt } from './axis-scale.ts'

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
const numbers = fc.oneof(
  fc.array(finite, { minLength: 1, maxLength: 40 }),
  // Over many decades, so that the axis is logarithmic.
  fc.array(fc.double({ min: 1e-12, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 40 }),
  fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 1, maxLength: 40 }),
)
const texts = fc.array(fc.string({ maxLength: 12 }), { minLength: 1, maxLength: maxTexts })

test.each([
  [[1, 2, 100], 'linear'],
  [[1, 2, 101], 'logarithmic'],
  [[0, 2, 101], 'linear'],
  [[-1, 2, 101], 'linear'],
  [[5], 'linear'],
  [['a', 'b'], 'text'],
  [[1, 'a'], 'text'],
  [['true', 'false'], 'text'],
  [[], 'linear'],
])('an axis of %j is %s', (values, kind) => expect(toScale(values).kind).toBe(kind))

test('texts are in the order of a dictionary in which 2 is before 10', () =>
  expect(toScale(['b10', 'a', 'b2', 'a', 1]).stops).toEqual(['1', 'a', 'b2', 'b10']))

test('a single value is in the middle, and a missing or unknown one has no place', () => {
  expect(placeOf(toScale([7]), 7)).toBe(0.5)
  expect(placeOf(toScale(['a']), 'a')).toBe(0.5)
  expect(placeOf(toScale([7, 8]), undefined)).toBeUndefined()
  expect(placeOf(toScale([7, 8]), 'a')).toBeUndefined()
  expect(placeOf(toScale(['a', 'b']), 'c')).toBeUndefined()
  expect(placeOf(toScale([]), 1)).toBeUndefined()
  expect(valueAt(toScale([]), 0.5)).toBeUndefined()
})

describe('for any values', () => {
  test('the place of each is on the axis, the ends are at its ends, and an order of values is that of their places', () => {
    fc.assert(
      fc.property(fc.oneof(numbers, texts), (values) => {
        const scale = toScale(values)
        const places = scale.stops.map((stop) => placeOf(scale, stop) ?? Number.NaN)
        expect(places.every((place) => place >= 0 && place <= 1)).toBe(true)
        expect(places.slice(1).every((place, at) => place >= (places[at] ?? 2))).toBe(true)
        if (places.length > 1) expect([places[0], places.at(-1)]).toEqual([0, 1])
      }),
    )
  })

  test('a number beyond the ends is at the nearest end', () => {
    fc.assert(
      fc.property(numbers, finite, (values, other) => {
        const scale = toScale(values)
        fc.pre(scale.stops.length > 1)
        if (other <= Number(scale.stops[0])) expect(placeOf(scale, other)).toBe(0)
        if (other >= Number(scale.stops.at(-1))) expect(placeOf(scale, other)).toBe(1)
      }),
    )
  })

  test('the value at a place grows with it, is between the ends, and has that place', () => {
    fc.assert(
      fc.property(numbers, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (values, one, other) => {
        const scale = toScale(values)
        const [low, high] = [Math.min(one, other), Math.max(one, other)].map((place) => Number(valueAt(scale, place)))
        expect(low).toBeLessThanOrEqual(Number(high))
        expect(low).toBeGreaterThanOrEqual(Number(scale.stops[0]))
        expect(high).toBeLessThanOrEqual(Number(scale.stops.at(-1)))
        // Neighbouring numbers lie so near to each other that no number is at most places between them.
        const [first, last] = [Number(scale.stops[0]), Number(scale.stops.at(-1))]
        fc.pre(last - first > 1e-6 * Math.max(Math.abs(first), Math.abs(last)) && last - first > 1e-290)
        expect(placeOf(scale, valueAt(scale, one))).toBeCloseTo(one, 6)
      }),
    )
  })

  test('the text at the place of a text is that text', () => {
    fc.assert(
      fc.property(texts, (values) => {
        const scale = toScale(values)
        expect(scale.stops.map((text) => valueAt(scale, placeOf(scale, text) ?? -1))).toEqual(scale.stops)
      }),
    )
  })
})
