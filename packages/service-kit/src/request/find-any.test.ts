import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findAny } from './find-any.ts'

const text = (longest: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\u00e9'), minLength: 3, maxLength: longest })

test('any of the texts is found wherever it stands, and nothing where none stands', () => {
  fc.assert(
    fc.property(fc.array(text(9), { minLength: 1, maxLength: 4 }), text(400), (texts, content) => {
      const find = findAny(texts.map((each) => Buffer.from(each)))
      expect(find(Buffer.from(content))).toBe(texts.some((each) => content.includes(each)))
    }),
  )
})

test('a text of several hundred bytes is found at both ends of the bytes, and not where its last byte is missing', () => {
  const long = Buffer.from(Array.from({ length: 700 }, (_, index) => 33 + ((index * 7) % 90)))
  const find = findAny([long, Buffer.from('another text')])
  const around = Buffer.alloc(1_000, '-')
  expect(find(Buffer.concat([long, around]))).toBe(true)
  expect(find(Buffer.concat([around, long]))).toBe(true)
  expect(find(Buffer.concat([around, long.subarray(0, -1)]))).toBe(false)
  expect(find(Buffer.concat([around, Buffer.from('another text')]))).toBe(true)
  expect(find(Buffer.alloc(0))).toBe(false)
})
