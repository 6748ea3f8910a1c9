import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placesOf, rowsBetween, scrolledTo } from './rows-in-sight.ts'

const uneven = (row: number) => (row % 3 === 0 ? 32 : 36)

test.each([
  { what: 'at the top', top: 0, bottom: 100, rows: { first: 0, last: 2 } },
  { what: 'that ends where a row ends', top: 0, bottom: 72, rows: { first: 0, last: 1 } },
  { what: 'that begins within a row', top: 35, bottom: 73, rows: { first: 0, last: 2 } },
  { what: 'below the last row', top: 1_000, bottom: 1_100, rows: { first: 9, last: 9 } },
  { what: 'scrolled beyond its top', top: -50, bottom: 10, rows: { first: 0, last: 0 } },
  { what: 'without a height', top: 0, bottom: 0, rows: undefined },
])('in a box $what, these of ten rows are in sight', ({ top, bottom, rows }) =>
  expect(rowsBetween(placesOf(10, 36), top, bottom)).toEqual(rows),
)

test('no row is in sight if there is none', () => expect(rowsBetween(placesOf(0, 36), 0, 100)).toBeUndefined())

test('rows of their own heights are found as if all were looked at', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(7_000), fc.integer({ min: 1, max: 900 }), (count, top, height) => {
      const places = placesOf(count, uneven)
      const bottom = top + height
      const shown = [...Array(count).keys()].filter((row) => places.startOf(row) < bottom && places.startOf(row + 1) > top)
      const rows = rowsBetween(places, top, bottom)
      expect(rows).toEqual({ first: shown[0] ?? count - 1, last: shown.at(-1) ?? count - 1 })
    }),
  )
})

test.each([
  { what: 'above', row: 2, to: 72 },
  { what: 'in sight', row: 6, to: 200 },
  { what: 'below', row: 20, to: 556 },
])('a box scrolls to a row $what as little as possible', ({ row, to }) =>
  expect(scrolledTo(placesOf(100, 36), row, { top: 200, height: 200 })).toBe(to),
)
