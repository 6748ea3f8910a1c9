import { expect, test } from 'vitest'
import { endedAt, startedAt, toMicros } from './span-times.ts'
import { json, nested } from '../../testing/a-span.ts'

test('nanoseconds are cut to microseconds without a double in between', () => {
  expect(toMicros(1767225600123456789n)).toBe(1767225600123456)
  expect(toMicros(2n ** 64n - 1n)).toBe(Number.MAX_SAFE_INTEGER)
})

test('a span that has not ended has no end, unless it is overridden', () => {
  expect(endedAt(0n, nested({}))).toBeNull()
  expect(endedAt(0n, nested({ 'langfuse.endTime': '2026-01-01T00:00:00Z' }))).toBe(1767225600000000)
})

test.each<[string, unknown, number]>([
  ['ISO text', '2026-01-02T03:04:05.250+00:00', 1767323045250000],
  ['ISO text without zone', '2026-01-02T03:04:05.25', 1767323045250000],
  ['ISO text of another zone', '2026-01-02T04:04:05+01:00', 1767323045000000],
  ['whole nanoseconds', json('1767323046000000000'), 1767323046000000],
  ['whole nanoseconds as a double', 1767323046000000000, 1767323046000000],
  ['seconds', 1767225601.5, 1767225601500000],
  ['whole seconds', 1767225601, 1767225601000000],
  ['seconds of a far year', 9007199254.740992, Number.MAX_SAFE_INTEGER],
  ['other text', 'yesterday', 1],
  ['digits as text', '1767323046000000000', 1],
  ['a negative number', -5, 1],
  ['a huge number', 1e30, 1],
  ['an object', { a: 1 }, 1],
])('override by %s', (_name, sent, micros) => {
  expect(startedAt(1000n, nested({ 'langfuse.startTime': sent }))).toBe(micros)
})
