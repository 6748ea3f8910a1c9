import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEventLoopTicks } from './event-loop-ticks.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Ticks until the callback runs while this many clients connect, one a tick. */
function ticksUntilCalled(clients: number): number {
  const ticks = createEventLoopTicks()
  let isCalled = false
  ticks.next(() => (isCalled = true))
  for (let tick = 1; ; tick++) {
    if (tick <= clients) ticks.noteConnection()
    vi.advanceTimersToNextTimer()
    if (isCalled) return tick
  }
}

test('a callback runs on the next tick when no client connects', () => {
  expect(ticksUntilCalled(0)).toBe(1)
})

test('a callback is deferred while clients connect', () => {
  expect(ticksUntilCalled(2)).toBe(3)
})

test('a callback is deferred by a bounded number of ticks', () => {
  expect(ticksUntilCalled(1_000)).toBe(4)
})
