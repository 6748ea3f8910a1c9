import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toNanoseconds } from './foreign-times.ts'

test.each([
  ['2026-05-29 13:46:19.963001', '1780062379963001000'],
  ['2026-05-29T13:46:19.963001Z', '1780062379963001000'],
  ['2026-05-29 15:46:19.963001+02:00', '1780062379963001000'],
  ['2026-05-29 13:46:19 UTC', '1780062379000000000'],
  ['2026-05-29', '1780012800000000000'],
  [1_780_062_379, '1780062379000000000'],
  [1_780_062_379.25, '1780062379250000000'],
  ['1780062379963', '1780062379963000000'],
  ['1780062379963001', '1780062379963001000'],
  ['1780062379963001002', '1780062379963001002'],
  ['yesterday', undefined],
  ['2026-13-01', undefined],
  [null, undefined],
  [-1, undefined],
])('%j is the time %j', (value, expected) => expect(toNanoseconds(value)?.toString()).toBe(expected))

test('a time is the same in each unit, and as text', () => {
  const seconds = fc.integer({ min: 1_000_000_000, max: 9_999_999_999 })
  fc.assert(
    fc.property(seconds, (second) => {
      const expected = BigInt(second) * 1_000_000_000n
      const texts = ['', '000', '000000', '000000000'].map((zeros) => `${second}${zeros}`)
      expect([...texts, new Date(second * 1000).toISOString()].map(toNanoseconds)).toEqual(Array.from({ length: 5 }, () => expected))
    }),
  )
})
