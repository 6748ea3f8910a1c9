import type { RelationalStore } from '@heddle/datastore'
import { openMemoryDatabase } from '@heddle/datastore/testing'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import type { JobEnd } from './testing/simulation/simulated-handler.ts'
import { createSimulatedQueue, type Step } from './testing/simulation/simulated-queue.ts'

let database: RelationalStore
beforeAll(async () => {
  database = await openMemoryDatabase()
})
afterAll(() => database.destroy())

const one = <T extends string>(...values: T[]) => fc.constantFrom(...values)
const upTo = (max: number) => fc.integer({ min: 1, max })
const server = fc.nat(2)

/** Each step with how often it comes. */
const steps: [number, fc.Arbitrary<Step>][] = [
  [
    30,
    fc.record({
      do: one('enqueue'),
      project: fc.nat(2),
      // 0 is none.
      serialKey: fc.constantFrom(0, 0, 1, 2),
      runsMs: fc.constantFrom(0, 200, 5_000, 30_000),
      ends: one<JobEnd>('returns', 'returns', 'throws', 'throws once', 'fails for good', 'is deaf'),
      maxAttempts: upTo(4),
      delayMs: fc.constantFrom(0, 0, 0, 30_000),
    }),
  ],
  [5, fc.record({ do: one('cancel'), job: fc.nat(60) })],
  [12, fc.record({ do: one('wait'), ms: upTo(500) })],
  [8, fc.record({ do: one('wait'), ms: upTo(40_000) })],
  [5, fc.record({ do: one('fail'), server, failing: fc.constantFrom(0, 0.05, 0.3, 1), slowestMs: fc.constantFrom(1, 50, 4_000) })],
  [3, fc.record({ do: one('kill'), server })],
  [2, fc.record({ do: one('stop'), server })],
  [2, fc.record({ do: one('set clock'), server, hours: fc.constantFrom(-2, 0, 0, 2, 24) })],
]
const lives = fc.array(fc.oneof(...steps.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
  maxLength: trials({ usual: 60, long: 200 }),
  size: 'max',
})

let queues = 0

test('whatever happens to servers, database and clocks, every job ends once, in the order of its serial key, and no lost lease writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), lives, async (seed, life) => {
      const name = `simulated-${++queues}`
      const queue = await createSimulatedQueue(seed, database, name)
      for (const step of life) await queue.take(step)
      await queue.recover()
      for (const table of ['jobs', 'job_queues'] as const) await database.deleteFrom(table).where('queue', '=', name).execute()
    }),
    { numRuns: trials({ usual: 5, long: 1_000 }) },
  )
}, 3_600_000)
