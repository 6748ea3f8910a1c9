import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearestTo, spreadLabels, thin } from './line-data.ts'

const someValues = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 400 })
const somePlaces = fc.uniqueArray(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 1 })

test('thinned points keep their order, the lowest and the highest value, and are at most two a slice', () => {
  const keepsPeaks = fc.property(someValues, fc.integer({ min: 1, max: 50 }), (values, slices) => {
    const points = thin(values, slices)
    const places = points.map(([at]) => at)
    expect(points.length).toBeLessThanOrEqual(Math.max(2, slices * 2))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(points.every(([at, value]) => values[at] === value)).toBe(true)
    const shown = points.map(([, value]) => value)
    expect([Math.min(...shown), Math.max(...shown)]).toEqual([Math.min(...values), Math.max(...values)])
  })
  fc.assert(keepsPeaks)
})

test('the nearest place is as near as any other', () => {
  const isNearest = fc.property(somePlaces, fc.integer({ min: -1_100, max: 1_100 }), (some, place) => {
    const places = some.toSorted((one, other) => one - other)
    const found = places[nearestTo(places, place) ?? -1]!
    expect(Math.abs(found - place)).toBe(Math.min(...places.map((one) => Math.abs(one - place))))
  })
  fc.assert(isNearest)
})

test('without places none is the nearest', () => expect(nearestTo([], 3)).toBeUndefined())

test('labels that would lie on each other are moved apart, and back up from the lower edge', () => {
  expect(spreadLabels([{ y: 20 }, { y: 18 }, { y: 90 }], { top: 0, bottom: 100 }).map(({ y }) => y)).toEqual([18, 32, 90])
  expect(spreadLabels([{ y: 98 }, { y: 99 }], { top: 0, bottom: 100 }).map(({ y }) => y)).toEqual([86, 100])
})
