import { expect, test } from 'vitest'
import { createLimitedRun } from './limited-run.ts'
import { workedMs } from './worked-time.ts'

/** Endless for some attempts, and then done. */
function workThatEndsAt(attempt: number) {
  let begun = 0
  return () => {
    begun++
    while (begun < attempt);
    return 'done'
  }
}

test('work that had no time on a busy machine is begun again', () => {
  const run = createLimitedRun(() => 0)
  expect(run(workThatEndsAt(6), 2)).toBe('done')
})

test('work that has used its time is stopped', () => {
  let worked = 0
  const run = createLimitedRun(() => (worked += 5))
  expect(() => run(workThatEndsAt(Infinity), 10)).toThrow('timed out after 10 ms')
})

test('what the work throws is thrown', () => {
  const fail = () => {
    throw new RangeError('of the work')
  }
  expect(() => createLimitedRun()(fail, 10)).toThrow(RangeError)
})

test('waiting does not count as work', async () => {
  const before = workedMs()
  const end = performance.now() + 20
  while (performance.now() < end);
  const worked = workedMs()
  expect(worked).toBeGreaterThan(before)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(workedMs() - worked).toBeLessThan(100)
})
