import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type CallOutbox, createCallOutbox, maxWaitingCalls } from './call-outbox.ts'
import type { RecordCalls, TracedCall } from './traced-call.ts'

const aCall = (id: number) => ({ id: String(id) }) as TracedCall

/** A store that takes calls when the test releases them. */
function heldStore() {
  const stored: string[] = []
  const waits: (() => void)[] = []
  const record: RecordCalls = async (projectId, calls, signal) => {
    await new Promise<void>((resolve, reject) => {
      waits.push(resolve)
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
    stored.push(...calls.map(({ id }) => `${projectId} ${id}`))
  }
  const storedOf = (project: string) => stored.filter((each) => each.startsWith(`${project} `)).length
  return { record, stored, storedOf, release: () => waits.splice(0).forEach((go) => go()) }
}

/** An outbox, with what it says of calls that are left out. */
function anOutbox(record: RecordCalls) {
  const errors: unknown[] = []
  const untraced = { full: 0, failed: 0 }
  const outbox = createCallOutbox({
    record,
    onUntraced: (reason, calls) => (untraced[reason] += calls),
    onError: (error) => errors.push(error),
  })
  return { outbox, errors, untraced }
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

/** How many of `count` calls find room. */
const fill = (outbox: CallOutbox, project: string, count: number) =>
  Array.from({ length: count }, (_, at) => outbox.add(project, aCall(at))).filter(Boolean).length

async function releaseAll(release: () => void): Promise<void> {
  for (let round = 0; round < 40; round += 1) {
    await turns()
    release()
  }
}

describe('calls', () => {
  test('are stored in their order, those of a project together, while nothing waits for them', async () => {
    const batches: string[] = []
    const { outbox } = anOutbox(async (projectId, calls) => {
      batches.push(`${projectId}: ${calls.map(({ id }) => id).join(' ')}`)
    })
    for (const [at, project] of ['a', 'a', 'b', 'a'].entries()) expect(outbox.add(project, aCall(at))).toBe(true)
    expect(batches).toEqual([])
    await outbox.close()
    expect(batches).toEqual(['a: 0 1 3', 'b: 2'])
  })

  test('of a project alone have half of the room; further ones are left out and counted, with one message until there is room again', async () => {
    const { record, stored, release } = heldStore()
    const { outbox, errors, untraced } = anOutbox(record)
    expect(fill(outbox, 'p', maxWaitingCalls)).toBe(1_000)
    expect(untraced).toEqual({ full: maxWaitingCalls - 1_000, failed: 0 })
    expect(errors).toEqual([new Error('1000 calls of a project wait to be stored; further ones are left out')])
    await releaseAll(release)
    expect(stored).toHaveLength(1_000)
    expect(fill(outbox, 'p', maxWaitingCalls)).toBe(1_000)
    expect(errors).toHaveLength(2)
    const closed = outbox.close()
    await releaseAll(release)
    await closed
    expect(stored).toHaveLength(2_000)
  })

  test('of a project with too many leave room for those of others', async () => {
    const { record, storedOf, release } = heldStore()
    const { outbox, errors } = anOutbox(record)
    fill(outbox, 'greedy', 5_000)
    expect(fill(outbox, 'second', 400)).toBe(400)
    expect(fill(outbox, 'third', 200)).toBe(200)
    expect(fill(outbox, 'greedy', 1)).toBe(0)
    expect(errors).toHaveLength(1)
    await releaseAll(release)
    expect(['greedy', 'second', 'third'].map(storedOf)).toEqual([1_000, 400, 200])
  })

  test('of projects that all send too many get equal parts of the room in time', async () => {
    const { record, storedOf, release } = heldStore()
    const { outbox } = anOutbox(record)
    const projects = ['a', 'b', 'c']
    for (let round = 0; round < 200; round += 1) {
      for (const project of projects) fill(outbox, project, 500)
      await turns()
      release()
    }
    const [most, least] = [Math.max(...projects.map(storedOf)), Math.min(...projects.map(storedOf))]
    expect(least).toBeGreaterThan(1_000)
    expect(most - least).toBeLessThanOrEqual(1_000)
  })

  test('of a project whose store does not answer do not delay those of others', async () => {
    const stored: string[] = []
    let go = (): void => undefined
    const held = new Promise<void>((resolve) => (go = resolve))
    const { outbox } = anOutbox(async (projectId) => {
      if (projectId === 'slow') await held
      stored.push(projectId)
    })
    fill(outbox, 'slow', 200)
    fill(outbox, 'a', 1)
    fill(outbox, 'b', 1)
    await turns()
    expect(stored).toEqual(['a', 'b'])
    go()
    await outbox.close()
    expect(stored).toEqual(['a', 'b', 'slow', 'slow'])
  })

  test('that cannot be stored are left out with the reason and counted, and later ones are stored', async () => {
    const stored: string[] = []
    const { outbox, errors, untraced } = anOutbox(async (projectId, calls) => {
      if (projectId === 'full') throw new Error('no space')
      stored.push(...calls.map(({ id }) => id))
    })
    outbox.add('full', aCall(1))
    outbox.add('full', aCall(3))
    outbox.add('other', aCall(2))
    await outbox.close()
    expect(errors).toEqual([new Error('no space')])
    expect(untraced).toEqual({ full: 0, failed: 2 })
    expect(stored).toEqual(['2'])
  })
})

describe('the end of a server', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  test('is delayed by seconds at most, where a store does not answer', async () => {
    const { record, stored } = heldStore()
    const { outbox, errors, untraced } = anOutbox(record)
    fill(outbox, 'p', 150)
    for (const project of ['q', 'r', 's', 't', 'u']) outbox.add(project, aCall(1))
    const closed = outbox.close()
    await vi.advanceTimersByTimeAsync(5_000)
    await closed
    expect(stored).toEqual([])
    expect(untraced).toEqual({ full: 0, failed: 155 })
    expect(errors).toEqual(Array.from({ length: 4 }, () => new Error('the server ends')))
  })
})
