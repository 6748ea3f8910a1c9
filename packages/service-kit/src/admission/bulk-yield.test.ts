import { expect, test } from 'vitest'
import { createBulkYield } from './bulk-yield.ts'

const flowOf = (caller: string) => ({ caller, project: '' })

/** A bulk yield on a clock of the test. */
function aClock(yieldRatio = 1) {
  const clock = { ms: 1_000 }
  const bulkYield = createBulkYield({ yieldRatio, nowMs: () => clock.ms })
  /** Runs a tick of one flow for this long; how long requests that were waiting when it began are held back after it. */
  function tick(caller: string, hasMore: boolean, ms: number): number {
    bulkYield.start(flowOf(caller), hasMore)
    clock.ms += ms
    bulkYield.endTick()
    return bulkYield.remainingMs()
  }
  return { clock, bulkYield, tick }
}

test('a flow that is alone never yields', () => {
  const { tick } = aClock()
  expect([tick('a', false, 5), tick('a', true, 5), tick('a', true, 5)]).toEqual([0, 0, 0])
})

test('bulk flows among themselves never yield', () => {
  const { tick } = aClock()
  expect([tick('a', true, 5), tick('b', true, 5), tick('a', true, 5)]).toEqual([0, 0, 0])
})

test('after a tick of a bulk flow, waiting requests are held back as long as it took, and later ones are not', () => {
  const { clock, bulkYield, tick } = aClock()
  tick('interactive', false, 1)
  const waitingSinceMs = clock.ms
  expect(tick('bulk', true, 6)).toBe(6)
  expect([bulkYield.allows(waitingSinceMs), bulkYield.allows(clock.ms)]).toEqual([false, true])
  clock.ms += 6
  expect(bulkYield.allows(waitingSinceMs)).toBe(true)
})

test('a tick of an interactive flow neither starts a pause nor ends one', () => {
  const { clock, tick } = aClock()
  tick('interactive', false, 1)
  tick('bulk', true, 6)
  clock.ms += 1
  expect(tick('interactive', false, 2)).toBe(3)
})

test('bulk flows stop yielding to a flow that has sent nothing for a second', () => {
  const { clock, tick } = aClock()
  tick('interactive', false, 1)
  clock.ms += 1_000
  expect(tick('bulk', true, 6)).toBe(0)
})

test('a pause is bounded, however long the tick took', () => {
  const { tick } = aClock()
  tick('interactive', false, 1)
  expect(tick('bulk', true, 10_000)).toBe(50)
})

test('a yield ratio of 0 never pauses', () => {
  const { tick } = aClock(0)
  tick('interactive', false, 1)
  expect(tick('bulk', true, 6)).toBe(0)
})
