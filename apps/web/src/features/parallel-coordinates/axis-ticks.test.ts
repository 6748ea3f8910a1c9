import fc from 'fast-check'
import { expect, test } from 'vitest'
import { colourMeanings, colourOf } from './axis-colours.ts'
import { toScale } from './axis-scale.ts'
import { ticksOf } from './axis-ticks.ts'

const text = { text: String }
const textsOf = (values: readonly (number | string)[]) => ticksOf(toScale(values), text).map((tick) => tick.text)

test.each([
  [
    [0, 1],
    ['0', '0.5', '1'],
  ],
  [
    [3, 97],
    ['3', '50', '97'],
  ],
  [
    [1e-5, 1e-2],
    ['0.00001', '0.0001', '0.001', '0.01'],
  ],
  [
    [-5e-324, 5e-324],
    ['-5e-324', '5e-324'],
  ],
  [[7], ['7']],
  [[], []],
  [
    ['b', 'a'],
    ['a', 'b'],
  ],
])('beside an axis of %j stands %j', (values, expected) => expect(textsOf(values)).toEqual(expected))

test('of many texts every second is written', () => expect(textsOf(Array.from({ length: 20 }, (_, at) => `text ${at}`))).toHaveLength(10))

test('few numbers are written beside any axis, each on it', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 20 }), (values) => {
      const ticks = ticksOf(toScale(values), text)
      expect(ticks.length).toBeLessThanOrEqual(12)
      expect(ticks.every(({ place }) => place >= 0 && place <= 1)).toBe(true)
    }),
  )
})

test('each value of an axis has one of five colours, each of which is explained', () => {
  const scale = toScale([0, 1, 5, 10])
  expect([0, 1, 5, 10, undefined].map((value) => colourOf(scale, value))).toEqual([0, 0, 2, 4, undefined])
  expect(colourMeanings(scale, text)).toEqual([
    { colour: 0, text: '0 to 2' },
    { colour: 2, text: '5' },
    { colour: 4, text: '10' },
  ])
  expect(colourMeanings(toScale(['x', 'y']), text)).toEqual([
    { colour: 0, text: 'x' },
    { colour: 4, text: 'y' },
  ])
})
