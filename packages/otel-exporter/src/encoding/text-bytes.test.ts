import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aSpan } from '../testing/a-span.ts'
import { createProtobufEncoding } from './protobuf-encoding.ts'
import { createPlainTextBytes, createTextBytes } from './text-bytes.ts'

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc
    .tuple(fc.constantFrom('a', 'ü', '世', '🌍', '\uD800', 'x\uDC00'), fc.integer({ min: 0, max: 20_000 }))
    .map(([unit, count]) => unit.repeat(count)),
)
const runs = { numRuns: trials({ usual: 60, long: 2000 }), seed: 20_261_103 }

test('a platform without buffers writes the same bytes as one with them, for any text', () => {
  const [plain, buffers] = [createProtobufEncoding(createPlainTextBytes()), createProtobufEncoding(createTextBytes())]
  fc.assert(
    fc.property(texts, texts, (key, value) => {
      const span = aSpan({ name: value, attributes: { [key]: value, list: [value] } })
      expect(Buffer.compare(plain.encodeSpan(span), buffers.encodeSpan(span))).toBe(0)
    }),
    runs,
  )
})

test('names beyond those that are remembered are written as well', () => {
  const encoding = createProtobufEncoding()
  const span = (index: number) => aSpan({ attributes: { [`name-${index}`]: index, [`${'long'.repeat(100)}-${index}`]: true } })
  for (let index = 0; index < 3000; index++) encoding.encodeSpan(span(index))
  expect(Buffer.compare(encoding.encodeSpan(span(2999)), createProtobufEncoding().encodeSpan(span(2999)))).toBe(0)
})
