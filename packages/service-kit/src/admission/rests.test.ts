import { expect, test } from 'vitest'
import { createRests } from './rests.ts'

const flowOf = (caller: string) => ({ caller, project: '' })

/** Rests by a clock of the test. */
function aClock(restShare = 1) {
  const clock = { ms: 1_000 }
  const rests = createRests({ restShare, nowMs: () => clock.ms })
  /** A turn in which work of one flow takes so long; how long those who waited when it began rest after it. */
  function turn(caller: string, hasMore: boolean, ms: number): number {
    rests.begin(flowOf(caller), hasMore)
    clock.ms += ms
    rests.endTurn()
    return rests.leftMs()
  }
  return { clock, rests, turn }
}

test('a flow that is alone never rests', () => {
  const { turn } = aClock()
  expect([turn('a', false, 5), turn('a', true, 5), turn('a', true, 5)]).toEqual([0, 0, 0])
})

test('flows that all have more share the loop without rests', () => {
  const { turn } = aClock()
  expect([turn('a', true, 5), turn('b', true, 5), turn('a', true, 5)]).toEqual([0, 0, 0])
})

test('after a turn of a flow that has more, those who waited rest as long as it took, and who comes later does not', () => {
  const { clock, rests, turn } = aClock()
  turn('modest', false, 1)
  const waitingSinceMs = clock.ms
  expect(turn('greedy', true, 6)).toBe(6)
  expect([rests.allows(waitingSinceMs), rests.allows(clock.ms)]).toEqual([false, true])
  clock.ms += 6
  expect(rests.allows(waitingSinceMs)).toBe(true)
})

test('a turn of a flow that comes now and then neither makes a rest nor ends one', () => {
  const { clock, turn } = aClock()
  turn('modest', false, 1)
  turn('greedy', true, 6)
  clock.ms += 1
  expect(turn('modest', false, 2)).toBe(3)
})

test('a flow that has not come for a second is no longer waited for', () => {
  const { clock, turn } = aClock()
  turn('modest', false, 1)
  clock.ms += 1_000
  expect(turn('greedy', true, 6)).toBe(0)
})

test('a rest is bounded, however long the turn took', () => {
  const { turn } = aClock()
  turn('modest', false, 1)
  expect(turn('greedy', true, 10_000)).toBe(50)
})

test('a share of none means no rests', () => {
  const { turn } = aClock(0)
  turn('modest', false, 1)
  expect(turn('greedy', true, 6)).toBe(0)
})
