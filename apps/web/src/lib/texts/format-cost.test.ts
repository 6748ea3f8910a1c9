import { expect, test } from 'vitest'
import { costText, formatCost, shortCost } from './format-cost.ts'

test.each([
  [0, '$0'],
  [1234.5, '$1,234.50'],
  [0.5, '$0.50'],
  [0.05, '$0.050'],
  [0.006, '$0.0060'],
  [0.000123, '$0.00012'],
  [0.000001, '$0.0000010'],
  [0.00000024, '<$0.000001'],
])('%d dollars read as %s', (cost, text) => {
  expect(formatCost(cost)).toBe(text)
})

test.each([
  [1, 0, '$1.00'],
  [1, 3, '$1.00 and 3 uses without a price'],
  [null, 3, 'No price'],
  [null, 0, 'no data'],
])('a cost of %j with %i uses without a price reads as %s', (cost, unpriced, text) => {
  expect(costText(cost, unpriced)).toBe(text)
})

test.each([
  [20, '$20'],
  [0.05, '$0.05'],
  [0.1, '$0.10'],
  [0.0015, '$0.0015'],
  [0.012, '$0.012'],
  [0, '$0'],
])('on an axis, %d dollars are %s', (cost, text) => expect(shortCost(cost)).toBe(text))
