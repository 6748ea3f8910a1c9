import { expect, test } from 'vitest'
import { createCompletionPlaces } from './completion-places.ts'

const refusal = (take: () => unknown) => {
  try {
    take()
  } catch (error) {
    return error
  }
  return undefined
}

test('a project has its places, and gets one again when a completion has ended', () => {
  const take = createCompletionPlaces({ ofProject: 2, total: 10 })
  const endFirst = take('a')
  take('a')
  expect(refusal(() => take('a'))).toMatchObject({ status: 429, message: expect.stringContaining('2 completions of this project') })
  expect(take('b')).toEqual(expect.any(Function))
  endFirst()
  expect(take('a')).toEqual(expect.any(Function))
})

test('all projects together have no more than the total', () => {
  const take = createCompletionPlaces({ ofProject: 2, total: 2 })
  const endFirst = take('a')
  take('b')
  expect(refusal(() => take('c'))).toMatchObject({ status: 429, message: expect.stringContaining('2 completions are under way') })
  endFirst()
  expect(take('c')).toEqual(expect.any(Function))
})
