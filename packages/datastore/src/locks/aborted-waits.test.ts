import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { serverWork } from '../work/work-scope.ts'
import { postgresPool } from '../relational/postgres-pool.ts'
import type { KeyedLock } from './keyed-lock.ts'
import { postgresLock } from './postgres-lock.ts'
import { processLock } from './process-lock.ts'

const pools: Pool[] = []
afterAll(async () => {
  for (const pool of pools) await pool.end()
})

/** A pool whose connections the server lists under this name. */
function newPool(name: string): Pool {
  const url = new URL(inject('postgresUrl'))
  url.searchParams.set('application_name', name)
  const pool = postgresPool(url.href)
  pools.push(pool)
  return pool
}

/** Holds the key until `release`, whose promise resolves when the key is free. */
async function hold(lock: KeyedLock, key: string): Promise<{ release(): Promise<void> }> {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return new Promise((resolve) => {
    const holding = lock.withKeys(serverWork, [key], async () => {
      resolve({
        async release() {
          end()
          await holding
        },
      })
      await ended
    })
  })
}

/** Far longer than any wait of these tests, so that no caller leaves by it. */
const maxWaitMs = 60_000
const patience = { timeout: 25_000 }
const hasNoPostgres = inject('postgresUrl') === ''
const cancelled = { name: 'StoreError', kind: 'cancelled' }

interface Caller {
  keys: string[]
  /** Steps that its work takes. */
  workSteps: number
  /** Steps after its arrival at which it leaves. */
  leavesAfter: number | null
}

const aCaller: fc.Arbitrary<Caller> = fc.record({
  keys: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
  workSteps: fc.nat(6),
  leavesAfter: fc.option(fc.nat(12), { freq: 1 }),
})

/** Lets one caller arrive with each step. Returns those that ran, by their arrival, in the order in which they started. */
async function runCallers(locks: readonly [KeyedLock, KeyedLock], callers: readonly Caller[], step: () => Promise<unknown>) {
  const holders = new Map<string, number>()
  const started: number[] = []
  const steps = async (count: number) => {
    for (let done = 0; done < count; done++) await step()
  }
  const answers: Promise<void>[] = []
  for (const [index, { keys, workSteps, leavesAfter }] of callers.entries()) {
    const client = new AbortController()
    const work = async () => {
      expect(client.signal.aborted).toBe(false)
      for (const key of keys) {
        expect(holders.has(key)).toBe(false)
        holders.set(key, index)
      }
      started.push(index)
      await steps(workSteps)
      for (const key of keys) holders.delete(key)
      return index
    }
    const answer = locks[index % 2 === 0 ? 0 : 1].withKeys({ signal: client.signal }, keys, work)
    if (leavesAfter !== null) void steps(leavesAfter).then(() => client.abort(new Error('the client left')))
    // Those that had started are answered although they left; the others have left the queue.
    answers.push(
      answer.then(
        (value) => expect({ value, isStarted: started.includes(index) }).toEqual({ value: index, isStarted: true }),
        (error: unknown) => {
          expect(error).toMatchObject(cancelled)
          expect({ isStarted: started.includes(index), hasLeft: client.signal.aborted }).toEqual({ isStarted: false, hasLeft: true })
        },
      ),
    )
    await step()
  }
  await Promise.all(answers)
  expect(await locks[0].withKeys(serverWork, ['a', 'b', 'c'], async () => [...holders])).toEqual([])
  return started
}

test('callers that leave lose no key and change no order: those of one key run by their arrival, one at a time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aCaller, { maxLength: 30 }), async (callers) => {
      const lock = processLock({ maxWaitMs })
      const started = await runCallers([lock, lock], callers, setImmediate)
      for (const key of ['a', 'b', 'c']) {
        const ofKey = started.filter((index) => callers[index]?.keys.includes(key))
        expect(ofKey).toEqual(ofKey.toSorted((one, other) => one - other))
      }
    }),
    { numRuns: trials({ usual: 60, long: 5_000 }) },
  )
})

test.skipIf(hasNoPostgres)('callers of two servers that leave lose no key, and no two hold one', async () => {
  const locks = [postgresLock({ pool: newPool('leaving-1'), maxWaitMs }), postgresLock({ pool: newPool('leaving-2'), maxWaitMs })] as const
  await fc.assert(
    fc.asyncProperty(fc.array(aCaller, { maxLength: 30 }), async (callers) => {
      await runCallers(locks, callers, () => delay(1))
    }),
    { numRuns: trials({ usual: 8, long: 500 }) },
  )
})

describe.each([
  { name: 'in one process', isMissing: false, make: () => processLock({ maxWaitMs }) },
  { name: 'on PostgreSQL', isMissing: hasNoPostgres, make: () => postgresLock({ pool: newPool('one-lock'), maxWaitMs }) },
])('a lock $name', ({ isMissing, make }) => {
  test.skipIf(isMissing)('is left at once by a waiter whose request aborts, and the next in the queue does not wait for it', async () => {
    const lock = make()
    const client = new AbortController()
    const holder = await hold(lock, 'x')
    const waiting = lock.withKeys({ signal: client.signal }, ['x', 'y'], async () => expect.unreachable())
    const next = lock.withKeys(serverWork, ['x', 'y'], async () => 'next')
    client.abort()
    await expect(waiting).rejects.toMatchObject(cancelled)
    await holder.release()
    expect(await next).toBe('next')
  })

  test.skipIf(isMissing)('is not taken by a request that has aborted before, whether or not it is free', async () => {
    const lock = make()
    const gone = { signal: AbortSignal.abort() }
    await expect(lock.withKeys(gone, ['x'], async () => expect.unreachable())).rejects.toMatchObject(cancelled)
    await expect(lock.withKeys(gone, [], async () => expect.unreachable())).rejects.toMatchObject(cancelled)
  })

  test.skipIf(isMissing)('is kept until the work has ended, although its request aborts meanwhile', async () => {
    const lock = make()
    const client = new AbortController()
    const steps: string[] = []
    let second: Promise<unknown> = Promise.resolve()
    const first = lock.withKeys({ signal: client.signal }, ['x'], async () => {
      second = lock.withKeys(serverWork, ['x'], async () => steps.push('second began'))
      client.abort()
      await delay(20)
      steps.push('first has ended')
      return 'durable'
    })
    expect(await first).toBe('durable')
    await second
    expect(steps).toEqual(['first has ended', 'second began'])
  })
})

test.skipIf(hasNoPostgres)('a waiter that leaves no longer waits on the server, and its connection serves the next', async () => {
  const [holders, waiters] = [newPool('lock-holders'), newPool('lock-waiters')]
  const waitingOnServer = async () => {
    const { rows } = await holders.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'lock-waiters' AND wait_event = 'advisory'",
    )
    return rows.length
  }
  const holder = await hold(postgresLock({ pool: holders, maxWaitMs }), 'x')
  const lock = postgresLock({ pool: waiters, maxWaitMs })
  const client = new AbortController()
  const waiting = lock.withKeys({ signal: client.signal }, ['x'], async () => expect.unreachable())
  await expect.poll(waitingOnServer, patience).toBe(1)
  client.abort()
  await expect(waiting).rejects.toMatchObject(cancelled)
  expect(await waitingOnServer()).toBe(0)
  expect(await lock.withKeys(serverWork, ['y'], async () => 'served')).toBe('served')
  expect(waiters).toMatchObject({ totalCount: 1, idleCount: 1, waitingCount: 0 })
  await holder.release()
})
