import { describe, expect, test } from 'vitest'
import { createGenerationQueue, defaultGenerationLimits, type GenerationLimits } from './generation-queue.ts'

/** Signal of a request that stays: each has its own. */
const never = () => new AbortController().signal
const flow = (caller: string, project = `${caller}/p`) => ({ caller, project })
const choices = (completions: number, isBulk = false) => ({ completions, isBulk })
const queueOf = (limits: Partial<GenerationLimits>) => createGenerationQueue({ ...defaultGenerationLimits, ...limits })

/** Whether a turn was granted by now. */
async function isGranted(turn: { granted: Promise<void> }): Promise<boolean> {
  return Promise.race([turn.granted.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))])
}

describe('who samples', () => {
  test('as many as may run begin at once, the others when one leaves', async () => {
    const queue = queueOf({ running: 2 })
    const [first, second, third] = [
      queue.enter(flow('a'), choices(1), never()),
      queue.enter(flow('a'), choices(1), never()),
      queue.enter(flow('a'), choices(1), never()),
    ]
    expect([await isGranted(first), await isGranted(second), await isGranted(third)]).toEqual([true, true, false])
    first.leave()
    first.leave()
    expect(await isGranted(third)).toBe(true)
    const fourth = queue.enter(flow('a'), choices(1), never())
    expect(await isGranted(fourth)).toBe(false)
  })

  test('choices count, and one with more than may run begins when something is free', async () => {
    const queue = queueOf({ running: 4, reserved: 0 })
    const [small, large, last] = [
      queue.enter(flow('a'), choices(1), never()),
      queue.enter(flow('a'), choices(128), never()),
      queue.enter(flow('a'), choices(1), never()),
    ]
    expect([await isGranted(small), await isGranted(large), await isGranted(last)]).toEqual([true, true, false])
    small.leave()
    expect(await isGranted(last)).toBe(false)
    large.leave()
    expect(await isGranted(last)).toBe(true)
  })

  test('one that comes behind the many requests of another is next', async () => {
    const queue = queueOf({ running: 1 })
    const running = queue.enter(flow('busy'), choices(1), never())
    const many = Array.from({ length: 50 }, () => queue.enter(flow('busy'), choices(1), never()))
    const other = queue.enter(flow('calm'), choices(1), never())
    running.leave()
    expect([await isGranted(many[0]!), await isGranted(other)]).toEqual([false, true])
  })
})

describe('interactive requests', () => {
  test('do not wait for rollouts of the same key, however many choices these have', async () => {
    const queue = queueOf({ running: 16, reserved: 4 })
    const rollouts = Array.from({ length: 3 }, () => queue.enter(flow('a'), choices(128), never()))
    const recorded = Array.from({ length: 50 }, () => queue.enter(flow('a'), choices(1, true), never()))
    const chats = Array.from({ length: 5 }, () => queue.enter(flow('a'), choices(1), never()))
    expect(await Promise.all(rollouts.map(isGranted))).toEqual([true, false, false])
    expect(await Promise.all(recorded.map(isGranted))).not.toContain(true)
    expect(await Promise.all(chats.map(isGranted))).toEqual([true, true, true, true, false])
    chats[0]!.leave()
    expect(await isGranted(chats[4]!)).toBe(true)
  })

  test('leave the other places to rollouts that wait, and take those that nobody wants', async () => {
    const queue = queueOf({ running: 8, reserved: 2 })
    const chats = Array.from({ length: 20 }, () => queue.enter(flow('a'), choices(1), never()))
    expect((await Promise.all(chats.map(isGranted))).filter(Boolean)).toHaveLength(8)
    const rollouts = Array.from({ length: 9 }, () => queue.enter(flow('b'), choices(1, true), never()))
    for (const chat of chats.slice(0, 6)) chat.leave()
    expect((await Promise.all(rollouts.map(isGranted))).filter(Boolean)).toHaveLength(6)
    chats[6]!.leave()
    expect((await Promise.all(chats.map(isGranted))).filter(Boolean)).toHaveLength(9)
  })
})

describe('who is refused', () => {
  const full = { status: 429, message: 'Concurrency limit reached for requests', retryAfterSeconds: 5 }

  test.each<[string, Partial<GenerationLimits>, { caller: string; project: string }, { caller: string; project: string }]>([
    ['of a key', { ofCaller: 2 }, flow('a', 'x/1'), flow('a', 'x/2')],
    ['of a project', { ofProject: 2 }, flow('a', 'x/p'), flow('b', 'x/p')],
    ['of all', { total: 2 }, flow('a', 'x/1'), flow('b', 'x/2')],
  ])('too many %s, until one leaves', (_name, limits, one, other) => {
    const queue = queueOf({ running: 1, ...limits })
    const first = queue.enter(one, choices(1), never())
    queue.enter(one, choices(1), never())
    expect(() => queue.enter(other, choices(1), never())).toThrow(expect.objectContaining(full))
    first.leave()
    expect(() => queue.enter(other, choices(1), never())).not.toThrow()
  })

  test('base models belong to no project', () => {
    const queue = queueOf({ ofProject: 1 })
    queue.enter(flow('a', ''), choices(1), never())
    expect(() => queue.enter(flow('a', ''), choices(1), never())).not.toThrow()
  })

  test('one that waits too long', async () => {
    const queue = queueOf({ running: 1, waitMs: 1 })
    queue.enter(flow('a'), choices(1), never())
    await expect(queue.enter(flow('a'), choices(1), never()).granted).rejects.toMatchObject(full)
  })

  test('one whose client is gone gives its turn to the next', async () => {
    const queue = queueOf({ running: 1, total: 3 })
    const running = queue.enter(flow('a'), choices(1), never())
    const client = new AbortController()
    const gone = queue.enter(flow('a'), choices(1), client.signal)
    const next = queue.enter(flow('a'), choices(1), never())
    client.abort(new Error('gone'))
    await expect(gone.granted).rejects.toThrow('gone')
    running.leave()
    expect(await isGranted(next)).toBe(true)
    expect(() => queue.enter(flow('a'), choices(1), AbortSignal.abort(new Error('gone before')))).toThrow('gone before')
  })
})
