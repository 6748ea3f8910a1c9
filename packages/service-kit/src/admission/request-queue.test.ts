import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Flow } from './fair-queue.ts'
import { createEventLoopTicks } from './event-loop-ticks.ts'
import { createRequestQueue, type RequestQueueLimits, type Permit } from './request-queue.ts'

const flowOf = (caller: string): Flow => ({ caller, project: '' })
const client = { signal: new AbortController().signal }
const tooMany = { code: 'too_many_requests', retryAfterSeconds: 1 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A queue in which two requests run at a time. */
function aQueue(changed: Partial<RequestQueueLimits> = {}, nowMs = () => performance.now()) {
  const bytes = { maxRunningBytes: 100, largeBytes: 1_000, maxLarge: 2 }
  const limits = {
    tickBytes: 1,
    yieldRatio: 0,
    maxRunning: 2,
    ...bytes,
    maxOccupancyMs: 5_000,
    shedAfterMs: 500,
    queueTimeoutMs: 1_000,
    maxWaiting: 10,
    ...changed,
  }
  const queue = createRequestQueue({ name: 'writes', limits, nowMs, ticks: createEventLoopTicks() })
  const started: string[] = []
  function send(caller: string, bytes = 1): { permit: Permit; started: Promise<void> } {
    const permit = queue.admit(flowOf(caller))
    const starting = permit.acquire(bytes, client).then(() => void started.push(caller))
    starting.catch(() => undefined)
    return { permit, started: starting }
  }
  return { queue, started, send }
}

/** Lets some ticks of the event loop pass. */
const settled = () => vi.advanceTimersByTimeAsync(10)

test('requests start at once while permits are free, and when one is released', async () => {
  const { queue, started, send } = aQueue()
  const first = send('a')
  send('b')
  const third = send('c')
  await settled()
  expect([started, queue.running, queue.waiting]).toEqual([['a', 'b'], 2, 1])
  first.permit.release()
  first.permit.release()
  await third.started
  expect([started, queue.running, queue.waiting]).toEqual([['a', 'b', 'c'], 2, 0])
})

test('a permit that is held counts once, however often it is acquired', async () => {
  const { queue, send } = aQueue()
  const { permit } = send('a')
  await permit.acquire(0, client)
  expect(queue.running).toBe(1)
})

test('a permit that was never acquired holds nothing', async () => {
  const { queue } = aQueue()
  const permit = queue.admit(flowOf('a'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect([queue.running, queue.waiting]).toEqual([0, 0])
  permit.release()
})

test('a request that waits too long is refused with 429 and Retry-After', async () => {
  const { queue, send } = aQueue()
  const working = [send('a'), send('a')]
  const late = send('a')
  await vi.advanceTimersByTimeAsync(1_000)
  await expect(late.started).rejects.toMatchObject(tooMany)
  expect([queue.running, queue.waiting]).toEqual([2, 0])
  for (const { permit } of working) permit.release()
  await send('a').started
})

test('a flow whose oldest request has waited too long is refused new ones, and other flows are not', async () => {
  const { send } = aQueue()
  for (let index = 0; index < 3; index++) send('bulk')
  await vi.advanceTimersByTimeAsync(501)
  expect(() => send('bulk')).toThrow(expect.objectContaining(tooMany))
  expect(() => send('interactive')).not.toThrow()
})

test('the number of waiting requests is bounded over all flows', async () => {
  const { send } = aQueue({ maxWaiting: 3 })
  send('a')
  await settled()
  send('b')
  await settled()
  for (let index = 0; index < 3; index++) send(String(index))
  expect(() => send('one more')).toThrow(expect.objectContaining(tooMany))
})

test('a client that leaves while queued is removed from the queue', async () => {
  const { queue, send } = aQueue()
  send('a')
  send('a')
  await settled()
  const leaving = new AbortController()
  const waiting = queue.admit(flowOf('b')).acquire(1, leaving)
  leaving.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'bad_request' })
  expect(queue.waiting).toBe(0)
})

test('a request that runs very long stops counting against others', async () => {
  const { started, send } = aQueue({ queueTimeoutMs: 10_000 })
  const slow = [send('slow'), send('slow')]
  await settled()
  const quick = send('quick')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(started).toEqual(['slow', 'slow', 'quick'])
  for (const { permit } of [...slow, quick]) permit.release()
})

test('one request starts in each tick of the event loop', async () => {
  const { started, send } = aQueue({ maxRunning: 10 })
  for (let index = 0; index < 3; index++) send('bulk')
  send('interactive')
  const counts: number[] = []
  while (started.length < 4) {
    await vi.advanceTimersToNextTimerAsync()
    counts.push(started.length)
  }
  expect(counts).toEqual([2, 3, 4])
  expect(started).toEqual(['bulk', 'interactive', 'bulk', 'bulk'])
})

test('several light requests start in one tick', async () => {
  const { started, send } = aQueue({ maxRunning: 10, tickBytes: 40_000 })
  for (let index = 0; index < 6; index++) send('a')
  const counts: number[] = []
  while (started.length < 6) {
    await vi.advanceTimersToNextTimerAsync()
    counts.push(started.length)
  }
  expect(counts).toEqual([6])
})

test('the bytes of running bodies are bounded, and a single body of any size may run', async () => {
  const { started, send } = aQueue({ maxRunning: 10 })
  const first = send('a', 150)
  send('b', 60)
  send('b', 30)
  send('c', 30)
  await settled()
  expect(started).toEqual(['a'])
  first.permit.release()
  await settled()
  expect(started).toEqual(['a', 'b', 'c'])
})

test('large requests leave capacity to small ones', async () => {
  const { started, send } = aQueue({ maxRunning: 10 })
  const large = Array.from({ length: 4 }, () => send('large', 1_000))
  await settled()
  expect(started).toEqual(['large', 'large'])
  send('small')
  await settled()
  expect(started).toEqual(['large', 'large', 'small'])
  large[0]?.permit.release()
  await settled()
  expect(started).toEqual(['large', 'large', 'small', 'large'])
})

test('a bulk flow yields between its ticks while an interactive flow is about', async () => {
  let workedMs = 0
  const { started, send } = aQueue({ maxRunning: 100, yieldRatio: 1 }, () => performance.now() + workedMs)
  const work = (caller: string) => send(caller).started.then(() => void (workedMs += 8))
  void work('interactive')
  await settled()
  for (let index = 0; index < 3; index++) void work('bulk')
  await vi.advanceTimersByTimeAsync(4)
  expect(started).toEqual(['interactive', 'bulk', 'bulk'])
  await vi.advanceTimersByTimeAsync(10)
  expect(started).toEqual(['interactive', 'bulk', 'bulk', 'bulk'])
})

test('a yield ends also when the timer fires early and no other request arrives', async () => {
  let aheadMs = 0
  const { started, send } = aQueue({ maxRunning: 100, yieldRatio: 1 }, () => performance.now() - aheadMs)
  void send('interactive')
  await settled()
  for (let index = 0; index < 3; index++) void send('bulk').started.then(() => void (aheadMs -= 4))
  await vi.advanceTimersByTimeAsync(2)
  aheadMs += 3
  await vi.advanceTimersByTimeAsync(100)
  expect(started).toEqual(['interactive', 'bulk', 'bulk', 'bulk'])
})
