import { inject, TestRunner } from 'vitest'
import './provided-context.ts'

/**
 * Called at the end of a `describe` block: keeps every third of its tests, and the blocks in it, unless `isWhole`, such as on the first of several stores.
 * `npm run test:long` runs all of them everywhere.
 */
export function sliceOfSuite({ isWhole }: { isWhole: boolean }): void {
  if (isWhole || inject('long')) return
  const { tasks } = TestRunner.getCurrentSuite()
  let at = 0
  const kept = tasks.filter(({ type }) => type !== 'test' || at++ % 3 === 0)
  tasks.splice(0, tasks.length, ...kept)
}
