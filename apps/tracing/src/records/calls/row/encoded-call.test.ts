import { callsTable, rowEncoder, type CallRow } from '@heddle/datastore'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestLength } from '../../../payload/digest.ts'
import { emptyCall } from './empty-call.ts'
import { EncodedCall } from './encoded-call.ts'

const digest = 'd'.repeat(digestLength)

/** A row between two others, as it comes from a thread. */
function encoded(row: CallRow): EncodedCall {
  const encoder = rowEncoder(callsTable)
  encoder.add(row)
  const start = encoder.byteLength
  encoder.add(row)
  const end = encoder.byteLength
  encoder.add(row)
  const { bytes } = encoder.finish()
  return new EncodedCall(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start))
}

const someText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ minLength: 1, unit: 'grapheme' }).map((part) => part.repeat(300)),
)
const someRow = fc
  .record({
    id: someText,
    name: someText,
    inputs: someText,
    otel: someText,
    started_at: fc.maxSafeNat(),
    ended_at: fc.option(fc.maxSafeNat()),
    thread_id: fc.option(someText),
    input_refs: fc.array(someText, { maxLength: 3 }),
  })
  .map(({ name, id, ...row }) => ({
    ...emptyCall({ project_id: 'acme/demo', id }),
    ...row,
    op_name: `weave:///acme/demo/op/${name}:${'0'.repeat(digestLength)}`,
  }))

test('what the store decides is put in, and nothing else changes', () => {
  fc.assert(
    fc.property(someRow, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.maxSafeNat(), (row, version, expire_at) => {
      const call = encoded(row)
      expect(call.started_at).toBe(row.started_at)
      call.setOpDigest(digest)
      call.setVersion(version)
      call.setExpiry(expire_at)
      expect(call.toRow()).toEqual({ ...row, op_name: row.op_name.replace(/0+$/, digest), version, expire_at })
    }),
    { numRuns: 300 },
  )
})

test('a digest of another length is refused', () => {
  const call = encoded(emptyCall({ project_id: 'acme/demo', id: 'a' }))
  expect(() => call.setOpDigest('short')).toThrow('an op of project acme/demo has the digest "short"')
})
