import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toStoredId } from './stored-id.ts'

const longIds = fc.string({ unit: 'binary', minLength: 1_025, maxLength: 3_000 })

test('an id of up to 1,024 characters stays as it is', () => {
  const isKept = (id: string) => toStoredId(id) === id
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 512 }), isKept))
  expect(toStoredId('x'.repeat(1_024))).toBe('x'.repeat(1_024))
})

test('a longer id keeps its beginning, ends in its digest and stays as short however often it is read', () => {
  fc.assert(
    fc.property(longIds, (id) => {
      const stored = toStoredId(id)
      expect(stored.length).toBeLessThanOrEqual(1_024)
      expect(stored).toMatch(/:[0-9a-f]{64}$/)
      expect(id.startsWith(stored.slice(0, -65))).toBe(true)
      expect(toStoredId(stored)).toBe(stored)
    }),
  )
})

test('longer ids that differ in their last character stay different', () => {
  const id = 'x'.repeat(5_000)
  expect(toStoredId(`${id}a`)).not.toBe(toStoredId(`${id}b`))
})

test('no half of a character is left where a longer id is cut', () => {
  const stored = toStoredId(`${'x'.repeat(958)}${'\u{1F600}'.repeat(100)}`)
  expect(stored.startsWith(`${'x'.repeat(958)}:`)).toBe(true)
})
