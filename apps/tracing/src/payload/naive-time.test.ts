import { formatTimestamp } from '@heddle/core-api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toNaiveText } from './naive-time.ts'

test('text has no zone and six digits only where they are not zero', () => {
  expect(toNaiveText(1767225600000000)).toBe('2026-01-01T00:00:00')
  expect(toNaiveText(1767225601500000)).toBe('2026-01-01T00:00:01.500000')
})

test('it is the text of every other time without its zone', () => {
  fc.assert(fc.property(fc.maxSafeNat(), (micros) => toNaiveText(micros) === formatTimestamp(micros).slice(0, -1)))
})
