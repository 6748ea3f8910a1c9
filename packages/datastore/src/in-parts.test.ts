import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inParts } from './in-parts.ts'

test('parts have every value once and in order, and all but the last are full', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 40 }), fc.integer({ min: 1, max: 12 }), (values, size) => {
      const parts = [...inParts(values, size)]
      expect(parts.flat()).toEqual(values)
      expect(parts.slice(0, -1).every(({ length }) => length === size)).toBe(true)
      expect(parts.every(({ length }) => length > 0 && length <= size)).toBe(true)
    }),
  )
})
