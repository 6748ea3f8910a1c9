import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { test, vi } from 'vitest'
import type { SimulatedDisk } from '../testing/simulation/simulated-disk.ts'
import { createSimulatedStore, largestBlock, type Step } from '../testing/simulation/simulated-store.ts'

const { disk } = await vi.hoisted(async () => {
  const { createSimulatedDisk } = await import('../testing/simulation/simulated-disk.ts')
  return { disk: createSimulatedDisk() as SimulatedDisk }
})
vi.mock('node:fs/promises', async (original) => disk.wrap(await original()))

const one = <T extends string>(...values: T[]) => fc.constantFrom(...values)
const upTo = (max: number) => fc.integer({ min: 1, max })

const project = fc.constantFrom(undefined, 'a', 'b')

/** Each step with how often it comes. */
const steps: [number, fc.Arbitrary<Step>][] = [
  [40, fc.record({ do: one('write'), table: one('one', 'two'), bytes: upTo(300), is: one('fine'), project })],
  [2, fc.record({ do: one('write'), table: one('one'), bytes: upTo(largestBlock), is: one('fine', 'bad', 'a delete') })],
  [8, fc.record({ do: one('read'), project, derived: fc.boolean() })],
  [10, fc.record({ do: one('wait'), ms: upTo(10) })],
  [10, fc.record({ do: one('wait'), ms: upTo(1_500) })],
  [3, fc.record({ do: one('disk'), failing: fc.constantFrom(0, 0, 0.03, 0.5), slowestMs: fc.constantFrom(3, 60) })],
  [2, fc.record({ do: one('fill disk'), leaving: fc.constantFrom(0, 500, 4_000, Infinity, Infinity, Infinity) })],
  [2, fc.record({ do: one('slow engine'), slowestMs: fc.constantFrom(20, 1_000) })],
  [2, fc.record({ do: one('kill engine'), forMs: upTo(8_000) })],
  [2, fc.record({ do: one('end'), how: one('process', 'power', 'close') })],
]
const lives = fc.array(fc.oneof(...steps.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
  maxLength: trials({ usual: 100, long: 500 }),
  size: 'max',
})

test('under any faults of disk, engine and process, acknowledged rows are in the table exactly once, and every request is answered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), lives, async (seed, life) => {
      const store = createSimulatedStore(seed, disk)
      for (const step of life) await store.take(step)
      await store.recover()
    }),
    { numRuns: trials({ usual: 150, long: 10_000 }) },
  )
}, 900_000)
