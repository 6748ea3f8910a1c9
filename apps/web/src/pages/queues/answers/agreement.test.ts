import { JsonNumber } from '@heddle/json/exact'
import { expect, test } from 'vitest'
import { agreementOf, type AnnotatorAnswer } from './agreement.ts'

const none = null
/** Four observers of twelve units, from Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011). */
const published = [
  [1, 2, 3, 3, 2, 1, 4, 1, 2, none, none, none],
  [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, none, 3],
  [none, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, none],
  [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, none],
]
const answers = (toValue: (number: number) => unknown): AnnotatorAnswer[] =>
  published.flatMap((row, annotator) =>
    row.flatMap((value, item) => (value === none ? [] : [{ item: String(item), annotator: String(annotator), value: toValue(value) }])),
  )

test('alpha is that of the published example, for words and for numbers', () => {
  expect(agreementOf(answers((number) => `word ${number}`)).alpha).toBeCloseTo(0.743, 3)
  expect(agreementOf(answers((number) => number)).alpha).toBeCloseTo(0.849, 3)
})

const given = (...values: [item: string, annotator: string, value: unknown][]): AnnotatorAnswer[] =>
  values.map(([item, annotator, value]) => ({ item, annotator, value }))

test('an item with one annotator says nothing, and the last answer of an annotator counts', () => {
  expect(agreementOf(given(['a', 'x', true], ['b', 'x', true]))).toEqual({ items: 0, percent: null, alpha: null })
  expect(agreementOf(given(['a', 'x', false], ['a', 'x', true], ['a', 'y', true]))).toEqual({ items: 1, percent: 1, alpha: null })
})

test('half of the items agree', () => {
  const { percent, items } = agreementOf(given(['a', 'x', true], ['a', 'y', true], ['b', 'x', true], ['b', 'y', false]))
  expect([percent, items]).toEqual([0.5, 2])
})

test('numbers that JavaScript would write differently count by their value, and agree as they are written', () => {
  const number = (text: string) => new JsonNumber(text)
  expect(agreementOf(answers((value) => number(`${value}.0`))).alpha).toBeCloseTo(0.849, 3)
  const ids = given(['a', 'x', number('9007199254740992')], ['a', 'y', number('9007199254740993')])
  expect(agreementOf(ids).percent).toBe(0)
})
