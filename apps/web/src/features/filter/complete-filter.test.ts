import fc from 'fast-check'
import { expect, test } from 'vitest'
import { completionAt, offersFor, withOffer } from './complete-filter.ts'

test.each([
  ['', 'field', '', ''],
  ['inp', 'field', '', 'inp'],
  ['inputs.a ', 'comparison', 'inputs.a', ''],
  ['inputs.a con', 'comparison', 'inputs.a', 'con'],
  ['inputs.a >= ', 'value', 'inputs.a', ''],
  ['inputs.a = "wea', 'value', 'inputs.a', '"wea'],
  ['inputs.a = 1 ', 'joint', 'inputs.a', ''],
  ['inputs.a = 1 and (not out', 'field', 'inputs.a', 'out'],
  ['(a = 1) o', 'joint', 'a', 'o'],
])('after %j a %s is expected', (text, expects, path, typed) => {
  expect(completionAt(text, text.length)).toEqual({ expects, path, typed, start: text.length - typed.length })
})

test('nothing is offered where a filter cannot be read', () => {
  for (const text of ['= ', 'a b ', 'a = ) ']) expect(completionAt(text, text.length)).toBeUndefined()
})

test('offers hold what is typed, and those that begin with it come first', () => {
  const known = { paths: ['op_name', 'inputs.name', 'name'], values: ['"weather"', '"the weather"', '12'] }
  const place = (text: string) => completionAt(text, text.length)!
  expect(offersFor(place('name'), known)).toEqual(['op_name', 'inputs.name'])
  expect(offersFor(place('nam'), known)).toEqual(['name', 'op_name', 'inputs.name'])
  expect(offersFor(place('name = "wea'), known)).toEqual(['"weather"', '"the weather"'])
  expect(offersFor(place('name = 12 '), known)).toEqual(['and', 'or'])
})

test('an offer takes the place of what was typed of it, and typing continues after it', () => {
  const text = 'a = 1 and na and b = 2'
  const at = 'a = 1 and na'.length
  expect(withOffer(text, at, completionAt(text, at)!, 'name')).toEqual({ text: 'a = 1 and name and b = 2', cursor: 15 })
})

test('any text at any place can be asked about', () => {
  fc.assert(fc.property(fc.string(), fc.nat(20), (text, at) => void completionAt(text, Math.min(at, text.length))))
})
