import { JsonText } from '@heddle/core-api/internal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonBytes } from './json-bytes.ts'
import { ScratchBuffer } from './scratch-buffer.ts'
import { writeJson } from './write-json.ts'

const long = fc.string({ minLength: 1, unit: 'grapheme' }).map((text) => text.repeat(2_000))
const value = fc.oneof(
  fc.jsonValue({ noUnicodeString: false }),
  fc.dictionary(fc.string({ unit: 'binary' }), fc.oneof(fc.string({ unit: 'binary' }), long)),
  fc.string({ unit: 'grapheme' }).map((text) => [new JsonText(Buffer.from(JSON.stringify(text))), new JsonText(JSON.stringify(text))]),
)

test('texts in one scratch buffer are those that are written alone, and stay until it is cleared', () => {
  const scratch = new ScratchBuffer()
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), (values) => {
      scratch.clear()
      const texts = values.map((each) => jsonBytes(each, scratch))
      expect(texts.map((bytes) => Buffer.from(bytes).toString())).toEqual(values.map(writeJson))
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['printable ASCII', ' ~a'],
  ['a quote', 'a"b'],
  ['a backslash', 'a\\b'],
  ['a control character', 'a\nb'],
  ['the end of ASCII', 'a\u007fb'],
  ['other letters', 'é'],
  ['half of a surrogate pair', '\ud800'],
  ['64 characters', 'x'.repeat(64)],
  ['65 characters', 'x'.repeat(65)],
])('%s is written in a string and in a key as elsewhere', (_name, text) => {
  const object = { [text]: text, x: text }
  expect(Buffer.from(jsonBytes(object, new ScratchBuffer())).toString()).toBe(JSON.stringify(object))
})
