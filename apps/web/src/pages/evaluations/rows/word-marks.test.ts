import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markWords } from './word-marks.ts'

const shown = (before: string, after: string, characters = 1_000) =>
  markWords(before, after, characters)
    .map(({ text, isNew }) => (isNew ? `[${text}]` : text))
    .join('')

test.each([
  ['the same words', 'the same words', 'the same words'],
  ['It takes gas canisters', 'The stove takes gas', '[The] [stove ]takes gas'],
  ['', 'all new', '[all new]'],
  ['all gone', '', ''],
])('against %j, %j is %s', (before, after, text) => {
  expect(shown(before, after)).toBe(text)
})

test('what lies beyond the first characters is not marked, and neither are texts that differ in too much', () => {
  expect(shown('a b c d', 'a x c x', 3)).toBe('a [x] c x')
  const numbers = (from: number) => Array.from({ length: 500 }, (_, at) => from + at).join(' ')
  expect(shown(numbers(1_000), numbers(9_000), 10_000)).toBe(numbers(9_000))
})

test('no character is lost or added, whatever the texts', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c ', ' ', '\n', 'dd '), { maxLength: 100 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, text, fc.nat({ max: 120 }), (before, after, characters) => {
      const joined = markWords(before, after, characters)
        .map((piece) => piece.text)
        .join('')
      expect(joined).toBe(after)
      expect(markWords(after, after, characters).some(({ isNew }) => isNew)).toBe(false)
    }),
  )
})
