import { ApiError } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { explain } from './query-problem.tsx'

test.each([
  [401, 'sign in again'],
  [403, 'Your key may not do this: no'],
  [404, 'Not found: no'],
  [429, 'Try again in a moment'],
  [503, 'not available'],
  [500, 'The server failed (500): no'],
])('status %i is explained by "%s"', (status, words) => {
  const error = new ApiError('internal', 'no', { status })
  expect(explain(error)).toContain(words)
})

test('what a setting of the server refuses is not blamed on the key', () =>
  expect(explain(new ApiError('forbidden', 'links are off', { extra: { setting: 'A' } }))).toBe(
    'The server does not allow this: links are off',
  ))

test('an error of the page is not blamed on the server', () =>
  expect(explain(new Error('x is undefined'))).toBe('The page failed: x is undefined'))

test('what a person has typed is refused in the words of the rule, and so is what was put into words for the server', () => {
  expect(explain(new RangeError('grouping must be recorded'))).toBe('grouping must be recorded')
  const cause = new ApiError('invalid', 'body.0: no', { status: 422 })
  expect(explain(new Error('trajectory t1: no', { cause }))).toBe('trajectory t1: no')
})
