import { expect, test } from 'vitest'
import { elapsedMs } from './elapsed-clock.ts'

test('time that passes counts, and a clock that is set back takes nothing away and holds nothing up', () => {
  let now = 5_000_000
  const elapsed = elapsedMs(() => now)
  const from = elapsed()
  now += 2_000
  expect(elapsed() - from).toBe(2)
  now -= 3_600_000_000
  expect(elapsed() - from).toBe(2)
  now += 4_000
  expect(elapsed() - from).toBe(6)
})
