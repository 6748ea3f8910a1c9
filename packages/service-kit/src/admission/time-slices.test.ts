import { expect, test } from 'vitest'
import { runInSlices } from './steps.ts'
import { createTimeSlices, timeSlices } from './time-slices.ts'

const workMs = (ms: number) => {
  for (const untilMs = performance.now() + ms; performance.now() < untilMs;);
}

test('short work never waits', () => {
  expect(createTimeSlices().begin()()).toBeUndefined()
})

test('of several pieces of long work one continues in each tick of the event loop, in order', async () => {
  const slices = createTimeSlices()
  const steps: string[] = []
  let ticks = 0
  let isDone = false
  const count = () => {
    ticks++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const work = async (name: string) => {
    const pace = slices.begin()
    for (let step = 0; step < 3; step++) {
      workMs(9)
      await pace()
      steps.push(`${name}${step}`)
    }
  }
  await Promise.all(['a', 'b', 'c'].map(work))
  isDone = true
  expect(steps).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
  expect(ticks).toBeGreaterThanOrEqual(steps.length - 1)
})

test('all work of the process divides the same slices, no matter who begins it', async () => {
  const order: string[] = []
  const work = async (name: string) => {
    await runInSlices(
      (function* () {
        for (let step = 0; step < 3; step++) {
          workMs(9)
          order.push(`${name}${step}`)
          yield
        }
      })(),
    )
  }
  const pace = timeSlices.begin()
  const paced = async () => {
    for (let step = 0; step < 3; step++) {
      workMs(9)
      order.push(`c${step}`)
      await pace()
    }
  }
  await Promise.all([work('a'), work('b'), paced()])
  expect(order).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
})
