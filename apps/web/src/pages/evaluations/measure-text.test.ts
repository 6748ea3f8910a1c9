import { latencyMeasure, tokensMeasure } from '@heddle/evaluations'
import { expect, test } from 'vitest'
import { differenceText, measureText, measureTitle, signedText, sizeText } from './measure-text.ts'

test.each([
  ['exact', 0.825, true, '82.5%'],
  ['length', 12.3456, false, '12.35'],
  [latencyMeasure, 2.5, false, '2.50 s'],
  [latencyMeasure, 0.25, false, '250 ms'],
  [tokensMeasure, 1_234.4, false, '1,234'],
  [tokensMeasure, Number.NaN, false, '–'],
])('%s of %d, a rate: %s, is %s', (name, value, isRate, text) => {
  expect(measureText(name, value, isRate)).toBe(text)
})

test.each([
  ['exact', 0.054, true, '5.4 pp', '▲ +5.4 pp', '+5.4'],
  ['exact', -0.5, true, '50 pp', '▼ −50 pp', '−50'],
  ['length', -2, false, '2', '▼ −2', '−2'],
  [latencyMeasure, -3.3, false, '3.30 s', '▼ −3.30 s', '−3.30 s'],
  ['length', 0, false, '0', '= 0', '0'],
])('a difference of %s by %d, a rate: %s, is %s', (name, difference, isRate, size, text, signed) => {
  expect([sizeText(name, difference, isRate), differenceText(name, difference, isRate), signedText(name, difference, isRate)]).toEqual([
    size,
    text,
    signed,
  ])
})

test('latency and tokens have names for people, and scores keep theirs', () => {
  expect([latencyMeasure, tokensMeasure, 'exact.match'].map(measureTitle)).toEqual(['Latency', 'Tokens', 'exact.match'])
})
