import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonString } from './json-string.ts'

test.each(['', 'plain', '"', '\\', '\n', '\u007f', 'ü', '\ud800', 'x'.repeat(64), 'x'.repeat(65)])(
  '%j is written as the runtime writes it',
  (text) => {
    expect(jsonString(text)).toBe(JSON.stringify(text))
  },
)

test('so is every other string', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => jsonString(text) === JSON.stringify(text)))
})
