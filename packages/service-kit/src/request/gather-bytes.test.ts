import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGathering } from './gather-bytes.ts'

const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 })
const lengthOf = (given: readonly Uint8Array[]) => given.reduce((sum, { byteLength }) => sum + byteLength, 0)

test('pieces come out in order, whatever length was announced', () => {
  fc.assert(
    fc.property(pieces, fc.option(fc.nat({ max: 2_000 }), { nil: undefined }), (given, announced) => {
      const gathering = createGathering(announced)
      for (const piece of given) gathering.add(piece)
      expect(Buffer.from(gathering.finish())).toEqual(Buffer.concat(given))
    }),
  )
})

test('several pieces of the announced length fill memory of their own', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 2, maxLength: 30 }), (given) => {
      const gathering = createGathering(lengthOf(given))
      for (const piece of given) gathering.add(piece)
      const whole = gathering.finish()
      expect(whole.buffer.byteLength).toBe(whole.byteLength)
    }),
  )
})

test('a length that is only announced takes no memory', () => {
  const gathering = createGathering(32 * 2 ** 20)
  gathering.add(new Uint8Array(10))
  gathering.add(new Uint8Array(10))
  expect(gathering.finish().buffer.byteLength).toBeLessThanOrEqual(16 * 20)
})

test('an only piece is not copied', () => {
  const piece = new Uint8Array([1, 2, 3])
  const gathering = createGathering(3)
  gathering.add(piece)
  expect(gathering.finish()).toBe(piece)
})
