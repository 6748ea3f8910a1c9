import { expect, test } from 'vitest'
import { createHybridClock } from './hybrid-clock.ts'

test('versions rise while the wall clock stands still or jumps back', () => {
  let now = 5_000_000
  const clock = createHybridClock(() => now)
  const versions = [clock.next(), clock.next()]
  now = 1_000_000
  versions.push(clock.next())
  now = 9_000_000
  versions.push(clock.next())
  expect(versions).toEqual([...versions].sort((one, other) => (one < other ? -1 : 1)))
  expect(new Set(versions).size).toBe(4)
})

test('a version is above the one it follows, also one of a server whose clock is ahead', () => {
  const clock = createHybridClock(() => 0)
  expect(clock.next(1n << 60n)).toBeGreaterThan(1n << 60n)
  expect(clock.next()).toBeGreaterThan(1n << 60n)
})
