import { expect, test } from 'vitest'
import { createPendingProjects } from './pending-projects.ts'

test('the last block of some projects is the last of any of them, or of any project', () => {
  const pending = createPendingProjects(0)
  expect(pending.lastOf(['a'])).toBe(0)
  pending.note(['a', 'b'], 1)
  pending.note(['b'], 2)
  expect([['a'], ['b'], ['a', 'b'], ['c'], []].map((projects) => pending.lastOf(projects))).toEqual([1, 2, 2, 0, 0])
  pending.note(undefined, 3)
  pending.note(['a'], 4)
  expect([['a'], ['b'], ['c'], []].map((projects) => pending.lastOf(projects))).toEqual([4, 3, 3, 3])
})

test('blocks that reached the table are forgotten, those after them are not', () => {
  const pending = createPendingProjects(1)
  pending.note(['a'], 2)
  pending.note(['b'], 3)
  pending.forget(2)
  expect([['a'], ['b']].map((projects) => pending.lastOf(projects))).toEqual([1, 3])
})

test('writes that are reported in another order than they were appended count by the latest', () => {
  const pending = createPendingProjects(0)
  pending.note(['a'], 5)
  pending.note(['a'], 4)
  expect(pending.lastOf(['a'])).toBe(5)
})
