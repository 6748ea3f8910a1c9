import { expect, test } from 'vitest'
import type { Work } from '../work.ts'
import { ComputeScheduler } from './compute-scheduler.ts'
import { createTrainingGate, isOpen } from './training-gate.ts'

const never = new AbortController().signal

/** A scheduler with a clock that the test moves. */
function createScheduler() {
  let nowMs = 0
  const gate = createTrainingGate()
  const scheduler = new ComputeScheduler(gate, () => nowMs)
  return { gate, scheduler, pass: (ms: number) => void (nowMs += ms) }
}

/** Steps of sampling that take so long each, with whether helpers of training may run in them. */
async function sampleSteps({ gate, scheduler, pass }: ReturnType<typeof createScheduler>, takesMs: readonly number[]): Promise<boolean[]> {
  const seen: boolean[] = []
  await scheduler.sample(() => {
    const at = seen.push(isOpen(gate))
    pass(takesMs[at - 1]!)
    return at < takesMs.length
  })
  return seen
}

test('threads that help with training pause while completions are sampled, but for a slice of each share', async () => {
  const test = createScheduler()
  expect(isOpen(test.gate)).toBe(true)
  expect(await sampleSteps(test, [50, 50, 10, 15, 90, 10, 30, 1])).toEqual([false, false, true, true, false, false, true, false])
  expect(isOpen(test.gate)).toBe(true)
})

test('training of this thread continues in the slices of its helpers, and when sampling has ended', async () => {
  const test = createScheduler()
  const slices: number[] = []
  let step = 0
  function* train(): Work<string> {
    for (let slice = 0; slice < 3; slice++) {
      slices.push(step)
      test.pass(25)
      yield
    }
    return 'trained'
  }
  const sampled = test.scheduler.sample(() => {
    test.pass(60)
    return ++step < 6
  })
  const trained = test.scheduler.train(train(), never)
  await sampled
  expect(await trained).toBe('trained')
  expect(slices).toEqual([1, 2, 5])
})

test('helpers run while a step waits, and after a step that fails', async () => {
  const { gate, scheduler } = createScheduler()
  let go: () => void = () => undefined
  const sampled = scheduler.sample(() => new Promise<void>((_, reject) => (go = () => reject(new Error('no more')))))
  expect(isOpen(gate)).toBe(true)
  go()
  await expect(sampled).rejects.toThrow('no more')
  expect(isOpen(gate)).toBe(true)
})
