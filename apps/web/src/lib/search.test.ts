import { expect, test } from 'vitest'
import { textOf, wholeOf, wordOf } from './search.ts'

test.each<[unknown, string | undefined]>([
  ['abc', 'abc'],
  [12, '12'],
  ['', undefined],
  [undefined, undefined],
  [null, undefined],
  [{ a: 1 }, undefined],
])('the parameter %j of an address is read as %j', (value, expected) => expect(textOf({ value }, 'value')).toBe(expected))

test('a parameter that is none of the known words counts as absent', () => {
  const words = ['tree', 'messages'] as const
  expect(wordOf({ view: 'messages' }, 'view', words)).toBe('messages')
  expect(wordOf({ view: 'other' }, 'view', words)).toBeUndefined()
  expect(wordOf({}, 'view', words)).toBeUndefined()
})

test('a whole number from 1 is read, and nothing else', () => {
  const read = (value: unknown) => wholeOf({ step: value }, 'step')
  expect([read(3), read('12'), read(0), read('1.5'), read('x'), read(undefined)]).toEqual([
    3,
    12,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
