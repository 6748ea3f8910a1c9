import { expect, test } from 'vitest'
import { createLimitedRun, nextLimit } from './limited-run.ts'
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

test.each([
  { cpuShare: 0.99, limit: 100, next: 102 },
  { cpuShare: 0.6, limit: 100, next: 167 },
  { cpuShare: 0.1, limit: 100, next: 200 },
  { cpuShare: 0, limit: 200, next: 400 },
  { cpuShare: 0.01, limit: 800, next: 800 },
])('work of 100 ms that had $cpuShare of $limit ms is begun again for $next ms', ({ next, ...had }) => {
  expect(nextLimit({ ...had, timeoutMs: 100 })).toBe(next)
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
