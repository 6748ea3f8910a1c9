import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPermitQueue, type PermitLimits } from './permit-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limits: PermitLimits = {
  running: 4,
  runningOfCaller: 3,
  runningOfProject: 2,
  queueTimeoutMs: 10_000,
  waiting: 6,
  waitingOfProject: 4,
  withoutKey: { running: 1, waiting: 2 },
}

/** A queue of statements with names. */
function aQueue() {
  const queue = createPermitQueue({ limits, nowMs: () => performance.now() })
  const releases = new Map<string, () => void>()
  const refused: string[] = []
  async function ask(name: string, caller: string, project: string, signal = new AbortController().signal): Promise<void> {
    const asked = queue.acquire({ caller, project }, signal)
    void asked.then((release) => (release ? void releases.set(name, release) : void refused.push(name)))
    await vi.advanceTimersByTimeAsync(0)
  }
  async function end(name: string): Promise<void> {
    releases.get(name)?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { queue, ask, end, refused, admitted: () => [...releases.keys()].join(' ') }
}

test('a project never holds all permits of its key, and a key never holds all', async () => {
  const { queue, ask, admitted } = aQueue()
  for (const name of ['a1', 'a2', 'a3']) await ask(name, 'key', 'a')
  for (const name of ['b1', 'b2']) await ask(name, 'key', 'b')
  await ask('other', 'another key', 'c')
  expect(admitted()).toBe('a1 a2 b1 other')
  expect({ running: queue.running, waiting: queue.waiting }).toEqual({ running: 4, waiting: 2 })
})

test('two keys share the limit of one project', async () => {
  const { ask, admitted } = aQueue()
  for (const caller of ['one', 'two', 'three']) await ask(caller, caller, 'a')
  expect(admitted()).toBe('one two')
})

test('the next permit goes to the flow that has used the engine for less time', async () => {
  const { ask, end, admitted } = aQueue()
  for (const name of ['s1', 's2']) await ask(name, 'slow', 's')
  for (const name of ['q1', 'q2']) await ask(name, 'quick', 'q')
  await vi.advanceTimersByTimeAsync(5)
  for (const name of ['q1', 'q2']) await end(name)
  await vi.advanceTimersByTimeAsync(1_000)
  for (const name of ['x1', 'x2']) await ask(name, 'x', 'x')
  await ask('s3', 'slow', 's')
  await ask('q3', 'quick', 'q')
  await end('s1')
  expect(admitted()).toBe('s1 s2 q1 q2 x1 x2 q3')
})

test('a statement that waits too long is refused, and so is one that finds the queue full', async () => {
  const { ask, refused, admitted } = aQueue()
  for (let index = 0; index < 7; index++) await ask(`a${index}`, 'key', 'a')
  expect(refused).toEqual(['a6'])
  await vi.advanceTimersByTimeAsync(limits.queueTimeoutMs)
  expect(refused).toEqual(['a6', 'a2', 'a3', 'a4', 'a5'])
  expect(admitted()).toBe('a0 a1')
})

test('a statement whose client leaves is removed from the queue', async () => {
  const { queue, ask, end, refused, admitted } = aQueue()
  const client = new AbortController()
  for (const name of ['a1', 'a2']) await ask(name, 'key', 'a')
  await ask('gone', 'key', 'a', client.signal)
  await ask('a3', 'key', 'a')
  client.abort()
  await ask('gone before', 'key', 'a', client.signal)
  expect({ refused, waiting: queue.waiting }).toEqual({ refused: ['gone', 'gone before'], waiting: 1 })
  await end('a1')
  expect(admitted()).toBe('a1 a2 a3')
})

test('releasing a permit twice counts once', async () => {
  const { queue, ask, end } = aQueue()
  for (const name of ['a1', 'a2']) await ask(name, 'key', 'a')
  await end('a1')
  await end('a1')
  expect(queue.running).toBe(1)
})

test('work without a key has one permit of all, whatever the number of projects, and a short queue', async () => {
  const { ask, end, admitted, refused } = aQueue()
  for (const name of ['l1', 'l2', 'l3', 'l4']) await ask(name, '', `project of ${name}`)
  expect({ admitted: admitted(), refused }).toEqual({ admitted: 'l1', refused: ['l4'] })
  for (const name of ['k1', 'k2']) await ask(name, 'key', 'a')
  await ask('o1', 'other', 'b')
  expect(admitted()).toBe('l1 k1 k2 o1')
  await end('l1')
  expect(admitted()).toBe('l1 k1 k2 o1 l2')
})
