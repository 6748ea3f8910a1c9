import { expect, test } from 'vitest'
import type { AxisRow } from './axis.ts'
import { axisX, heightOf, nearestLine, placeAt, toLine } from './axis-lines.ts'
import { toScale } from './axis-scale.ts'

const aRow = (id: string, a: number, b?: number): AxisRow => ({
  id,
  name: id,
  values: new Map([['a', a], ...(b === undefined ? [] : [['b', b] as const])]),
})
const axes = ['a', 'b'].map((id) => ({ id, name: id, group: 'all', text: String, scale: toScale([0, 1]), range: undefined }))

test('the height of a place leads back to it, and a missing value is below the axis', () => {
  for (const place of [0, 0.25, 1]) expect(placeAt(heightOf(place))).toBeCloseTo(place)
  expect(heightOf(undefined)).toBeGreaterThan(heightOf(0))
  expect(toLine(aRow('one', 1), axes).heights).toEqual([heightOf(1), heightOf(undefined)])
})

test('the line that is nearest to a point is found, between axes as well, and none that is farther than asked', () => {
  const [low, high] = [toLine(aRow('low', 0, 0), axes), toLine(aRow('high', 1, 0), axes)]
  const middle = (axisX(0) + axisX(1)) / 2
  expect(nearestLine([low, high], { x: middle, y: heightOf(0.45) }, 100)).toBe(high)
  expect(nearestLine([low, high], { x: middle, y: heightOf(0.1) }, 100)).toBe(low)
  expect(nearestLine([low, high], { x: axisX(0) - 40, y: heightOf(1) }, 10)).toBe(high)
  expect(nearestLine([low, high], { x: middle, y: heightOf(0.9) }, 100)).toBeUndefined()
})
