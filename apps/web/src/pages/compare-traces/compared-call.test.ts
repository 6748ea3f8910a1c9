import { expect, test } from 'vitest'
import { changeText, type ComparedCall, costSourceOf, deltaText, differencesOf } from './compared-call.ts'
import { hashOf } from './hash-of.ts'

const call = (fields: Partial<ComparedCall> = {}): ComparedCall => ({
  id: 'c',
  parentId: null,
  name: 'run',
  startedAt: 0,
  endedAt: 1,
  status: 'success',
  latencyMs: 1,
  tokens: null,
  cost: null,
  costSource: { pricedAs: [], reported: 0 },
  inputs: hashOf({ question: 'x' }),
  output: hashOf('y'),
  ...fields,
})

test.each([
  [{}, []],
  [{ latencyMs: 900, startedAt: 5 }, []],
  [{ output: hashOf('z') }, ['output']],
  [{ inputs: hashOf({ question: 'X' }), status: 'error' as const }, ['status', 'input']],
])('a call with %j differs in %j', (fields, differences) => {
  expect(differencesOf({ a: call(), b: call(fields), depth: 0 })).toEqual(differences)
})

test('a call of one trace alone says so', () => {
  expect(differencesOf({ a: call(), b: undefined, depth: 0 })).toEqual(['only in A'])
  expect(differencesOf({ a: undefined, b: call(), depth: 0 })).toEqual(['only in B'])
})

test('costs of a pair name the prices of both, each once, and all uses that report them', () => {
  const a = call({ costSource: { pricedAs: ['m'], reported: 1 } })
  const b = call({ costSource: { pricedAs: ['k', 'm'], reported: 2 } })
  expect(costSourceOf({ a, b, depth: 0 })).toEqual({ pricedAs: ['k', 'm'], reported: 3 })
  expect(costSourceOf({ a: undefined, b: call(), depth: 0 })).toEqual({ pricedAs: [], reported: 0 })
})

test.each([
  [1, 3, '▲ +2'],
  [3, 1, '▼ −2'],
  [2, 2, '= 0'],
  [null, 2, ''],
])('from %j to %j is %s', (before, after, text) => {
  expect(deltaText(before, after, String)).toBe(text)
})

test.each([
  [1, 3, '1 → 3'],
  [null, 3, '– → 3'],
  [1, undefined, '1 → –'],
  [null, undefined, ''],
])('%j and %j stand as %j', (before, after, text) => {
  expect(changeText(before, after, String)).toBe(text)
})

test('different values have different hashes', () => {
  const values = Array.from({ length: 20_000 }, (_, at) => ({ text: `value ${at}` }))
  expect(new Set(values.map(hashOf)).size).toBe(values.length)
})
