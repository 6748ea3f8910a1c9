import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toFeedbackId, toHexId, toSpanId, toTraceId } from './foreign-ids.ts'

test('ids of OpenTelemetry and UUIDs stay what they are', () => {
  expect(toTraceId('0AF7651916CD43DD8448EB211C80319C')).toBe('0af7651916cd43dd8448eb211c80319c')
  expect(toTraceId('0af76519-16cd-43dd-8448-eb211c80319c')).toBe('0af7651916cd43dd8448eb211c80319c')
  expect(toSpanId('B7AD6B7169203331')).toBe('b7ad6b7169203331')
  expect(toHexId('0xb7ad6b7169203331', 8)).toBe('b7ad6b7169203331')
  expect(toHexId('t61rcWkgMzE=', 8)).toBe('b7ad6b7169203331')
  expect(toHexId('tr-1', 16)).toBeUndefined()
})

test('any other text gives one valid id, another text another one', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(toTraceId(one)).toMatch(/^[0-9a-f]{32}$/)
      expect(toSpanId(one)).toMatch(/^[0-9a-f]{16}$/)
      expect(toFeedbackId('x', one)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
      const isSame = one.toLowerCase() === other.toLowerCase()
      if (!isSame) expect([toTraceId(one), toSpanId(one)]).not.toEqual([toTraceId(other), toSpanId(other)])
    }),
  )
})
