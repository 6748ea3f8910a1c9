import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareTexts } from './compare-texts.ts'
import { firstLinesOf, linesOfPart } from './lines-of-part.ts'

const piece = (text: string, isChanged = false) => ({ text, isChanged })

test('a changed word is marked in its line', () => {
  const words = [piece('to '), piece('Oslo', true), piece('\nat noon')]
  expect(linesOfPart({ kind: 'removed', lines: ['to Oslo', 'at noon'], words })).toEqual([
    { kind: 'remove', parts: ['to ', { mark: 'Oslo' }] },
    { kind: 'remove', parts: ['at noon'] },
  ])
})

test('a change over several lines is marked in each of them', () => {
  expect(linesOfPart({ kind: 'added', lines: ['a', '', 'b'], words: [piece('a\n\nb', true)] })).toEqual([
    { kind: 'add', parts: [{ mark: 'a' }] },
    { kind: 'add', parts: [] },
    { kind: 'add', parts: [{ mark: 'b' }] },
  ])
})

test('parts are numbered in both texts', () => {
  expect(
    firstLinesOf([
      { kind: 'same', lines: ['a', 'b'] },
      { kind: 'removed', lines: ['c'] },
      { kind: 'added', lines: ['d', 'e'] },
      { kind: 'same', lines: ['f'] },
    ]),
  ).toEqual([
    { before: 1, after: 1 },
    { before: 3, after: 3 },
    { before: 4, after: 3 },
    { before: 4, after: 5 },
  ])
})

const text = fc.array(fc.constantFrom('a b', 'a c', '', 'd')).map((lines) => lines.join('\n'))

test('the lines that are shown are those of both texts', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = (compareTexts(before, after) ?? []).flatMap(linesOfPart)
      const shown = (kind: 'add' | 'remove') =>
        lines
          .filter((line) => line.kind === 'same' || line.kind === kind)
          .map(({ parts }) => parts.map((part) => (typeof part === 'string' ? part : part.mark)).join(''))
          .join('\n')
      expect([shown('remove'), shown('add')]).toEqual([whole(before), whole(after)])
    }),
  )
})

/** An end of line at the end of a text is not a line of its own. */
const whole = (one: string) => one.replace(/\n$/, '')
