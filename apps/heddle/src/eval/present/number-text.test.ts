import { expect, test } from 'vitest'
import { formatDifference, formatInterval, formatNumber, formatProbability, formatShare } from './number-text.ts'

const [rate, mean] = [{ is_rate: true }, { is_rate: false }]

test.each([
  [0.8333333, rate, '83.3 %'],
  [1, rate, '100 %'],
  [-0.0001, rate, '0 %'],
  [0.8333333, mean, '0.8333'],
  [12, mean, '12'],
  [123456.7, mean, '123457'],
  [1.5e20, mean, '150000000000000000000'],
  [0.00001234, mean, '0.00001234'],
])('%d is written %s %s', (value, kind, text) => {
  expect(formatNumber(value, kind)).toBe(text)
})

test('a difference has its sign, an interval both ends', () => {
  expect([0.05, 0, -0.05].map((value) => formatDifference(value, rate))).toEqual(['+5 %', '0 %', '-5 %'])
  expect(formatInterval({ low: 0.1, high: 0.2 }, formatShare)).toBe('10 % … 20 %')
  expect(formatInterval(null, formatShare)).toBe('')
})

test.each([
  [1, '1'],
  [0.04123, '0.041'],
  [0.00003, '< 0.0001'],
])('a p-value of %d is written %s', (probability, text) => {
  expect(formatProbability(probability)).toBe(text)
})
