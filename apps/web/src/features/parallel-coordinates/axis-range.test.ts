import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AxisRow, AxisValue, DrawnAxis, RangeEnds } from './axis.ts'
import { afterKey, fits, isInside, keptRows, rangeBetween } from './axis-range.ts'
import { placeOf, toScale } from './axis-scale.ts'

const aRow = (id: number, values: Record<string, AxisValue>): AxisRow => ({
  id: String(id),
  name: `row ${id}`,
  values: new Map(Object.entries(values)),
})
const anAxis = (id: string, rows: readonly AxisRow[], ends?: RangeEnds): DrawnAxis => ({
  id,
  name: id,
  group: 'all',
  text: String,
  scale: toScale(rows.flatMap(({ values }) => values.get(id) ?? [])),
  range: ends && { axis: id, ...ends },
})

test('rows inside the ranges of all axes are kept, both ends included, and rows without a value are not', () => {
  const rows = [aRow(1, { a: 1, b: 'x' }), aRow(2, { a: 2, b: 'y' }), aRow(3, { a: 3, b: 'y' }), aRow(4, { b: 'y' }), aRow(5, { a: 2 })]
  const kept = (a?: RangeEnds, b?: RangeEnds) => keptRows(rows, [anAxis('a', rows, a), anAxis('b', rows, b)]).map(({ id }) => id)
  expect(kept()).toEqual(['1', '2', '3', '4', '5'])
  expect(kept({ from: 2 })).toEqual(['2', '3', '5'])
  expect(kept({ from: 2, to: 2 })).toEqual(['2', '5'])
  expect(kept({ from: 2 }, { from: 'y', to: 'y' })).toEqual(['2', '3'])
  expect(kept({ from: 4 })).toEqual([])
})

test('a range of numbers has no text as an end', () => {
  expect(fits(toScale([1, 2]), { from: 'a' })).toBe(false)
  expect(fits(toScale([1, 2]), { from: 1, to: 2 })).toBe(true)
  expect(fits(toScale(['a', 'b']), { from: 'a', to: 2 })).toBe(true)
})

describe('a key', () => {
  const numbers = toScale([1, 2, 5, 9])
  test.each<[string, RangeEnds | undefined, 'from' | 'to', string, RangeEnds | undefined]>([
    ['raises the lowest to the next value', undefined, 'from', 'ArrowUp', { from: 2 }],
    ['raises it further', { from: 2 }, 'from', 'ArrowUp', { from: 5 }],
    ['raises one that is between two values', { from: 3 }, 'from', 'ArrowUp', { from: 5 }],
    ['lowers one that is between two values', { from: 3 }, 'from', 'ArrowDown', { from: 2 }],
    ['opens the range at the last value', { from: 2 }, 'from', 'ArrowDown', {}],
    ['changes nothing below the lowest', undefined, 'from', 'ArrowDown', {}],
    ['lowers the highest', undefined, 'to', 'ArrowDown', { to: 5 }],
    ['does not move the lowest above the highest', { from: 5, to: 5 }, 'from', 'ArrowUp', { from: 5, to: 5 }],
    ['does not move the lowest above a highest between two values', { from: 2, to: 3 }, 'from', 'ArrowUp', { from: 2, to: 3 }],
    ['moves the lowest to the highest', { to: 5 }, 'from', 'End', { from: 5, to: 5 }],
    ['moves the highest to the lowest', undefined, 'to', 'Home', { to: 1 }],
    ['moves by at least one value for a tenth', undefined, 'to', 'PageDown', { to: 5 }],
    ['does nothing that is not one of these', undefined, 'to', 'a', undefined],
  ])('%s', (_what, ends, end, key, expected) => expect(afterKey(numbers, ends, end, key)).toEqual(expected))

  test('moves an end of texts by one text', () =>
    expect(afterKey(toScale(['b', 'a', 'c']), undefined, 'from', 'ArrowUp')).toEqual({ from: 'b' }))
  test('moves nothing on an axis without values', () => expect(afterKey(toScale([]), undefined, 'from', 'ArrowUp')).toBeUndefined())
})

test('a range that is drawn over all of an axis is open, and one between two texts is the nearest text', () => {
  expect(rangeBetween(toScale([1, 2, 3]), 0, 1)).toEqual({})
  expect(rangeBetween(toScale([1, 2, 3]), 0.5, -0.2)).toEqual({ to: 2 })
  expect(rangeBetween(toScale(['a', 'b', 'c']), 0.6, 0.7)).toEqual({ from: 'b', to: 'b' })
  expect(rangeBetween(toScale(['a', 'b', 'c']), 0.4, 1)).toEqual({ from: 'b' })
})

describe('for any values', () => {
  const place = fc.double({ min: -0.5, max: 1.5, noNaN: true })
  const values = fc.oneof(
    fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 30 }),
    fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 30 }),
    fc.array(fc.integer({ min: 1e9, max: 1e9 + 50 }), { minLength: 2, maxLength: 30 }),
    fc.array(fc.string({ maxLength: 6 }), { minLength: 2, maxLength: 30 }),
  )

  test('a range keeps exactly the rows whose value is not below its lower and not above its upper end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.integer({ min: -50, max: 50 })), { maxLength: 40 }),
        fc.integer(),
        fc.integer(),
        (given, from, to) => {
          const rows = given.map((value, at) => aRow(at, value === null ? {} : { a: value }))
          const kept = keptRows(rows, [anAxis('a', rows, { from, to })])
          expect(kept).toEqual(rows.filter((_, at) => given[at] !== null && Number(given[at]) >= from && Number(given[at]) <= to))
        },
      ),
    )
  })

  test('a range that is drawn keeps the values between its places, and none that is far outside of them', () => {
    fc.assert(
      fc.property(values, place, place, (given: readonly AxisValue[], one, other) => {
        const scale = toScale(given)
        fc.pre(scale.stops.length > 1)
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        const ends = rangeBetween(scale, one, other)
        // An end of a range is rounded, and the nearest text is kept where none is between the places.
        const blur = scale.kind === 'text' ? 0.5 / (scale.stops.length - 1) : 1e-3
        for (const value of given) {
          const at = placeOf(scale, value) ?? Number.NaN
          if (at >= low + 1e-3 && at <= high - 1e-3) expect(isInside(scale, ends, value)).toBe(true)
          if (at < low - blur || at > high + blur) expect(isInside(scale, ends, value) && low <= 1 && high >= 0).toBe(false)
        }
      }),
    )
  })

  test('keys never make a range whose lower end is above its upper one', () => {
    const keys = fc.constantFrom('ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End')
    fc.assert(
      fc.property(
        values,
        fc.array(fc.tuple(fc.constantFrom('from' as const, 'to' as const), keys), { maxLength: 30 }),
        (given, pressed) => {
          const scale = toScale(given)
          let ends: RangeEnds = {}
          for (const [end, key] of pressed) ends = afterKey(scale, ends, end, key) ?? ends
          expect(given.some((value) => isInside(scale, ends, value))).toBe(true)
        },
      ),
    )
  })
})
