import { JsonNumber } from '@heddle/json'
import { expect, test } from 'vitest'
import { textDigest } from '../../../payload/digest.ts'
import { digestInRef, rowDigest } from './row-digest.ts'

test.each([
  ['a whole reference', 'weave:///e/p/object/ds:v/attr/rows/id/D1', 'D1'],
  ['one without its scheme', 'ds:v/attr/rows/id/D1', 'D1'],
  ['a text with nothing before the row', '/attr/rows/id/D1', undefined],
  ['a text with nothing after it', 'ds:v/attr/rows/id/', undefined],
  ['a reference to a part of a row', 'ds:v/attr/rows/id/D1/key/a', undefined],
  ['another text', 'plain', undefined],
])('%s names the row that it names', (_, example, digest) => {
  expect(digestInRef(example)).toBe(digest)
  expect(rowDigest(example)).toBe(digest ?? textDigest(example))
})

test('rows are equal whatever the order of their keys', () => {
  expect(rowDigest({ a: 1, b: { c: null, d: 'ü' } })).toBe(rowDigest({ b: { d: 'ü', c: null }, a: 1 }))
})

test('a row with 1 is another one than a row with 1.0', () => {
  expect(rowDigest({ a: 1 })).not.toBe(rowDigest({ a: new JsonNumber('1.0') }))
})

test('a missing example has the digest of null', () => {
  expect(rowDigest(null)).toBe(textDigest('null'))
})
