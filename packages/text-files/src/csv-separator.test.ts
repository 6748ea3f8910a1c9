import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { delimiterOf, detectSeparator, separators } from './csv-separator.ts'

test.each([
  ['a,b\n1,2', ','],
  ['a;b\n1,5;2,5', ';'],
  ['a\tb\n"x;y"\tz,z', '\t'],
  ['a|b\r\n1|2\r\n', '|'],
  ['question\nWhat is a; b; c?\nx; y; z', 'none'],
  ['question\n"a, b"', 'none'],
  ['a,b;c\n1,2\n3,4', ','],
  ['a;b', ';'],
  ['', 'none'],
] as const)('%j has the separator %j', (text, separator) => {
  expect(detectSeparator(text)).toBe(separator)
})

test('the separator of what was written as CSV is found', () => {
  const cell = fc.string({ maxLength: 12 })
  fc.assert(
    fc.property(
      fc.constantFrom(...separators.filter((one) => one !== 'none')),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 20 }),
      (separator, newline, data) => {
        const text = Papa.unparse({ fields: ['one', 'two', 'three'], data }, { quotes: true, delimiter: delimiterOf(separator), newline })
        expect(detectSeparator(text)).toBe(separator)
      },
    ),
  )
})
