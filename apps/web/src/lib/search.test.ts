import { expect, test } from 'vitest'
import { searchOf, text, whole, word } from './search.ts'

test.each<[unknown, string | undefined]>([
  ['abc', 'abc'],
  [12, '12'],
  ['', undefined],
  [undefined, undefined],
  [null, undefined],
  [{ a: 1 }, undefined],
])('the parameter %j of an address is read as %j', (value, expected) => expect(text(value)).toBe(expected))

test('a parameter that is none of the known words counts as absent', () => {
  const readView = word('tree', 'messages')
  expect(readView('messages')).toBe('messages')
  expect(readView('other')).toBeUndefined()
  expect(readView(undefined)).toBeUndefined()
})

test('a whole number from 1 is read, and nothing else', () => {
  expect([whole(3), whole('12'), whole(0), whole('1.5'), whole('x'), whole(undefined)]).toEqual([
    3,
    12,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('a page has the parameters that it reads, and drops others', () => {
  const read = searchOf({ tab: word('items', 'people'), step: whole })
  expect(read({ tab: 'people', step: '2', other: 'x' })).toEqual({ tab: 'people', step: 2 })
})
