import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Flow } from './fair-queue.ts'
import { createLoopTurns } from './loop-turns.ts'
import { createLane, type LaneLimits, type Visit } from './lane.ts'

const flowOf = (caller: string): Flow => ({ caller, project: '' })
const client = { signal: new AbortController().signal }
const tooMany = { code: 'too_many_requests', retryAfterSeconds: 1 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Two at a time, and what becomes of each visit. */
function aLane(changed: Partial<LaneLimits> = {}, nowMs = () => performance.now()) {
  const bytes = { maxWorkingBytes: 100, largeBytes: 1_000, maxLarge: 2 }
  const limits = {
    turnBytes: 1,
    restShare: 0,
    maxWorking: 2,
    ...bytes,
    maxHoldMs: 5_000,
    patienceMs: 500,
    maxWaitMs: 1_000,
    maxWaiting: 10,
    ...changed,
  }
  const lane = createLane({ name: 'writes', limits, nowMs, turns: createLoopTurns() })
  const begun: string[] = []
  function send(caller: string, bytes = 1): { visit: Visit; begun: Promise<void> } {
    const visit = lane.enter(flowOf(caller))
    const begins = visit.begin(bytes, client).then(() => void begun.push(caller))
    begins.catch(() => undefined)
    return { visit, begun: begins }
  }
  return { lane, begun, send }
}

/** Lets some turns of the event loop pass. */
const settled = () => vi.advanceTimersByTimeAsync(10)

test('work begins at once while there are turns, and with those that are given back', async () => {
  const { lane, begun, send } = aLane()
  const first = send('a')
  send('b')
  const third = send('c')
  await settled()
  expect([begun, lane.working, lane.waiting]).toEqual([['a', 'b'], 2, 1])
  first.visit.leave()
  first.visit.leave()
  await third.begun
  expect([begun, lane.working, lane.waiting]).toEqual([['a', 'b', 'c'], 2, 0])
})

test('a visit has one turn, however often it begins', async () => {
  const { lane, send } = aLane()
  const { visit } = send('a')
  await visit.begin(0, client)
  expect(lane.working).toBe(1)
})

test('a visit that never begins holds nothing', async () => {
  const { lane } = aLane()
  const visit = lane.enter(flowOf('a'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect([lane.working, lane.waiting]).toEqual([0, 0])
  visit.leave()
})

test('what waits too long is refused with 429 and told when to come back', async () => {
  const { lane, send } = aLane()
  const working = [send('a'), send('a')]
  const late = send('a')
  await vi.advanceTimersByTimeAsync(1_000)
  await expect(late.begun).rejects.toMatchObject(tooMany)
  expect([lane.working, lane.waiting]).toEqual([2, 0])
  for (const { visit } of working) visit.leave()
  await send('a').begun
})

test('a flow in which one has waited long is refused further requests, and others are not', async () => {
  const { send } = aLane()
  for (let index = 0; index < 3; index++) send('greedy')
  await vi.advanceTimersByTimeAsync(501)
  expect(() => send('greedy')).toThrow(expect.objectContaining(tooMany))
  expect(() => send('modest')).not.toThrow()
})

test('no more wait than may, of all flows together', async () => {
  const { send } = aLane({ maxWaiting: 3 })
  send('a')
  await settled()
  send('b')
  await settled()
  for (let index = 0; index < 3; index++) send(String(index))
  expect(() => send('one more')).toThrow(expect.objectContaining(tooMany))
})

test('a client that leaves is let go of', async () => {
  const { lane, send } = aLane()
  send('a')
  send('a')
  await settled()
  const leaving = new AbortController()
  const waiting = lane.enter(flowOf('b')).begin(1, leaving)
  leaving.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'bad_request' })
  expect(lane.waiting).toBe(0)
})

test('work that takes very long gives its turn to others while it goes on', async () => {
  const { begun, send } = aLane({ maxWaitMs: 10_000 })
  const slow = [send('slow'), send('slow')]
  await settled()
  const quick = send('quick')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(begun).toEqual(['slow', 'slow', 'quick'])
  for (const { visit } of [...slow, quick]) visit.leave()
})

test('one begins in each turn of the event loop', async () => {
  const { begun, send } = aLane({ maxWorking: 10 })
  for (let index = 0; index < 3; index++) send('greedy')
  send('modest')
  const counts: number[] = []
  while (begun.length < 4) {
    await vi.advanceTimersToNextTimerAsync()
    counts.push(begun.length)
  }
  expect(counts).toEqual([2, 3, 4])
  expect(begun).toEqual(['greedy', 'modest', 'greedy', 'greedy'])
})

test('several light ones begin in one turn', async () => {
  const { begun, send } = aLane({ maxWorking: 10, turnBytes: 40_000 })
  for (let index = 0; index < 6; index++) send('a')
  const counts: number[] = []
  while (begun.length < 6) {
    await vi.advanceTimersToNextTimerAsync()
    counts.push(begun.length)
  }
  expect(counts).toEqual([6])
})

test('bodies that are worked on are bounded in bytes, and one goes whatever its size', async () => {
  const { begun, send } = aLane({ maxWorking: 10 })
  const first = send('a', 150)
  send('b', 60)
  send('b', 30)
  send('c', 30)
  await settled()
  expect(begun).toEqual(['a'])
  first.visit.leave()
  await settled()
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('large requests leave turns to small ones', async () => {
  const { begun, send } = aLane({ maxWorking: 10 })
  const large = Array.from({ length: 4 }, () => send('large', 1_000))
  await settled()
  expect(begun).toEqual(['large', 'large'])
  send('small')
  await settled()
  expect(begun).toEqual(['large', 'large', 'small'])
  large[0]?.visit.leave()
  await settled()
  expect(begun).toEqual(['large', 'large', 'small', 'large'])
})

test('a flow with more of its own rests between its turns while others come one at a time', async () => {
  let workedMs = 0
  const { begun, send } = aLane({ maxWorking: 100, restShare: 1 }, () => performance.now() + workedMs)
  const work = (caller: string) => send(caller).begun.then(() => void (workedMs += 8))
  void work('modest')
  await settled()
  for (let index = 0; index < 3; index++) void work('greedy')
  await vi.advanceTimersByTimeAsync(4)
  expect(begun).toEqual(['modest', 'greedy', 'greedy'])
  await vi.advanceTimersByTimeAsync(10)
  expect(begun).toEqual(['modest', 'greedy', 'greedy', 'greedy'])
})

test('a rest ends also where the timer of the runtime is early and nobody else comes', async () => {
  let aheadMs = 0
  const { begun, send } = aLane({ maxWorking: 100, restShare: 1 }, () => performance.now() - aheadMs)
  void send('modest')
  await settled()
  for (let index = 0; index < 3; index++) void send('greedy').begun.then(() => void (aheadMs -= 4))
  await vi.advanceTimersByTimeAsync(2)
  aheadMs += 3
  await vi.advanceTimersByTimeAsync(100)
  expect(begun).toEqual(['modest', 'greedy', 'greedy', 'greedy'])
})
