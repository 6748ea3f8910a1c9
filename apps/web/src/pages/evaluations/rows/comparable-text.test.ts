import { parseExactJson } from '@heddle/json/exact'
import { expect, test } from 'vitest'
import { comparableText } from './comparable-text.ts'

test('objects that differ in the order of their keys alone have one text, lists keep their order, and texts stay as they are', () => {
  expect(comparableText({ b: [{ d: 1, c: 2 }], a: null })).toBe(comparableText({ a: null, b: [{ c: 2, d: 1 }] }))
  expect(comparableText([2, 1])).not.toBe(comparableText([1, 2]))
  expect(comparableText('b\na')).toBe('b\na')
})

test('numbers stay as they were sent', () => {
  expect(comparableText(parseExactJson('{"b":1.0,"a":[9007199254740993]}'))).toBe('{\n  "a": [\n    9007199254740993\n  ],\n  "b": 1.0\n}')
})
