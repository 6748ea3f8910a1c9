import { expect, test, vi } from 'vitest'
import type { Flow } from './fair-queue.ts'
import { createPacing } from './pacing.ts'

const flowOf = (caller: string): Flow => ({ caller, project: '' })

test('a yield that ends while the queue looks for the next request is followed by another look', () => {
  vi.useFakeTimers()
  try {
    let now = 0
    let endTick = () => {}
    const waitingSinceMs = -1
    const looks: boolean[] = []
    const pacing = createPacing({
      limits: { tickBytes: 1, yieldRatio: 1 },
      nowMs: () => now,
      ticks: { next: (callback) => (endTick = callback), noteConnection() {} },
      onReady() {
        looks.push(pacing.allows(waitingSinceMs))
        now = Math.max(now, 20)
      },
    })
    pacing.start(flowOf('interactive'), 1, false)
    pacing.start(flowOf('bulk'), 1, true)
    now = 10
    endTick()
    expect(looks).toEqual([false])
    vi.runAllTimers()
    expect(looks).toEqual([false, true])
  } finally {
    vi.useRealTimers()
  }
})
