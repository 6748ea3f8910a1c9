import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinPath, splitPath } from './field-path.ts'
import { isQueryable, maxPathCharacters, maxPathParts } from './queryable-path.ts'

const key = fc.string({ unit: fc.constantFrom('.', '\\', 'a', '0', '-', ' '), maxLength: 6 })

test.each([
  [['question'], 'inputs.question'],
  [['messages', '0', 'content'], 'inputs.messages.0.content'],
  [['gen_ai.model'], String.raw`inputs.gen_ai\.model`],
  [['', 'b'], 'inputs..b'],
  [['C:\\data', 'b'], String.raw`inputs.C:\data.b`],
  [['C:\\', 'b'], String.raw`inputs.C:\\.b`],
  [['C:\\'], 'inputs.C:\\'],
  [['a\\.b'], String.raw`inputs.a\\\.b`],
])('the keys %j are written %s', (keys, path) => {
  expect(joinPath(['inputs', ...keys])).toBe(path)
  expect(splitPath(path)).toEqual(['inputs', ...keys])
})

test('whatever keys hold, a path leads through the keys that it was made of', () => {
  fc.assert(
    fc.property(fc.array(key, { minLength: 1, maxLength: 6 }), (keys) => {
      expect(splitPath(joinPath(keys))).toEqual(keys)
    }),
  )
})

test('a query takes paths within their bounds, without keys that count from the end, and of the summary what is computed', () => {
  expect(['inputs.a', 'summary.usage.m', 'summary.weave.status', 'output.-a'].map(isQueryable)).toEqual([true, true, true, true])
  expect(['output.-1', 'summary.weave.costs', `inputs.${'a'.repeat(maxPathCharacters)}`].map(isQueryable)).toEqual([false, false, false])
  expect(isQueryable(joinPath(Array<string>(maxPathParts).fill('a')))).toBe(true)
  expect(isQueryable(joinPath(Array<string>(maxPathParts + 1).fill('a')))).toBe(false)
})
