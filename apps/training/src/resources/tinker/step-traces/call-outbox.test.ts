import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createCallOutbox, maxWaitingCalls } from './call-outbox.ts'
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
  return { record, stored, release: () => waits.splice(0).forEach((go) => go()) }
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

describe('calls', () => {
  test('are stored in their order, those of a project together, while nothing waits for them', async () => {
    const batches: string[] = []
    const outbox = createCallOutbox(
      async (projectId, calls) => {
        batches.push(`${projectId}: ${calls.map(({ id }) => id).join(' ')}`)
      },
      (error) => expect.fail(String(error)),
    )
    for (const [at, project] of ['a', 'a', 'b', 'a'].entries()) expect(outbox.add(project, aCall(at))).toBeUndefined()
    expect(batches).toEqual([])
    await outbox.close()
    expect(batches).toEqual(['a: 0 1', 'b: 2', 'a: 3'])
  })

  test('beyond the most that wait are left out, with one message until there is room again', async () => {
    const { record, stored, release } = heldStore()
    const errors: unknown[] = []
    const outbox = createCallOutbox(record, (error) => errors.push(error))
    const fill = () => Array.from({ length: maxWaitingCalls + 50 }, (_, at) => outbox.add('p', aCall(at)))
    fill()
    expect(errors).toEqual([new Error('1000 calls wait to be stored; further ones are left out')])
    for (let round = 0; round < 20; round += 1) {
      await turns()
      release()
    }
    expect(stored).toHaveLength(maxWaitingCalls)
    fill()
    expect(errors).toHaveLength(2)
    const closed = outbox.close()
    for (let round = 0; round < 20; round += 1) {
      await turns()
      release()
    }
    await closed
    expect(stored).toHaveLength(2 * maxWaitingCalls)
  })

  test('that cannot be stored are left out with the reason, and later ones are stored', async () => {
    const errors: unknown[] = []
    const stored: string[] = []
    const outbox = createCallOutbox(
      async (projectId, calls) => {
        if (projectId === 'full') throw new Error('no space')
        stored.push(...calls.map(({ id }) => id))
      },
      (error) => errors.push(error),
    )
    outbox.add('full', aCall(1))
    outbox.add('other', aCall(2))
    await outbox.close()
    expect(errors).toEqual([new Error('no space')])
    expect(stored).toEqual(['2'])
  })
})

describe('the end of a server', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  test('is delayed by seconds at most, where a store does not answer', async () => {
    const { record, stored } = heldStore()
    const errors: unknown[] = []
    const outbox = createCallOutbox(record, (error) => errors.push(error))
    outbox.add('p', aCall(1))
    outbox.add('q', aCall(2))
    const closed = outbox.close()
    await vi.advanceTimersByTimeAsync(5_000)
    await closed
    expect(stored).toEqual([])
    expect(errors).toEqual([new Error('the server ends')])
  })
})
