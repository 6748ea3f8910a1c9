import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnText, intervalText, numberText, pointsText, roundChange } from './number-text.ts'

test('rates are percentages, numbers have four digits, those below 1 three, and a missing value is a dash', () => {
  expect([numberText(0.8333, true), numberText(1.23456, false), numberText(123_456, false), numberText(Number.NaN, true)]).toEqual([
    '83.3%',
    '1.235',
    '123,456',
    '–',
  ])
  expect([0.8864, -0.88649, 0.000123456].map((value) => numberText(value, false))).toEqual(['0.886', '-0.886', '0.000123'])
})

test('a score below 1 reads alike by itself and in a column', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 999 }), (thousandths) => {
      const value = thousandths / 1_000
      expect(Number(numberText(value, false))).toBe(Number(columnText(value, false)))
    }),
  )
})

test('numbers of one column have equally many decimals, where that keeps their digits', () => {
  const numbers = [0.93, 1, 12.3456, 0, 0.00012, 123_456, Number.NaN].map((value) => columnText(value, false))
  expect(numbers).toEqual(['0.930', '1.000', '12.346', '0.000', '0.00012', '123,456', '–'])
  expect([columnText(0.7, true), columnText(1, true), columnText(Number.NaN, true)]).toEqual(['70.0%', '100.0%', '–'])
})

test.each([
  [0.4094, 0.409],
  [-0.03125, 0.031],
  [12.3456, 12.3],
  [-1_234.5, 1_234.5],
  [0.000123456, 0.000123],
  [0, 0],
])('a change by %d has the digits of the values that differ: %d', (change, size) => expect(roundChange(change)).toBe(size))

test('the change of a rate is in percentage points', () => expect([0.054, -0.5].map(pointsText)).toEqual(['5.4', '50']))

test('an interval shows both ends, or says that it is missing', () => {
  expect([intervalText({ low: -0.1, high: 0.2 }, true), intervalText(null, true)]).toEqual(['-10% to 20%', 'no interval'])
})
