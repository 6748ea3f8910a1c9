import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLoopTurns } from './loop-turns.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Turns that pass before work goes on, when so many clients connect, one in each turn. */
function turnsFor(clients: number): number {
  const loop = createLoopTurns()
  let isDone = false
  loop.next(() => (isDone = true))
  for (let turn = 1; ; turn++) {
    if (turn <= clients) loop.connected()
    vi.advanceTimersToNextTimer()
    if (isDone) return turn
  }
}

test('work goes on in the next turn when nobody connects', () => {
  expect(turnsFor(0)).toBe(1)
})

test('work waits while clients connect', () => {
  expect(turnsFor(2)).toBe(3)
})

test('work does not wait for ever', () => {
  expect(turnsFor(1_000)).toBe(4)
})
