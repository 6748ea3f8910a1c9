import { ApiError } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { helpFor, waitText } from './problem-help.ts'
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

const answered = (status: number, reason = 'no', extra: Record<string, unknown> = {}) => new ApiError('internal', reason, { status, extra })

test.each([
  ['a refusal without a reason names the project', answered(403, 'Forbidden'), 'a/b', /project a\/b\. An administrator/, 'projects'],
  ['a refusal with a reason says who can help', answered(403, 'needs an admin key'), 'a/b', /^An administrator/, 'projects'],
  ['a refusal by the operator names the setting', answered(403, 'off', { setting: 'SHARES' }), 'a/b', /SHARES/, undefined],
  ['what is missing leads to its project', answered(404), 'a/b', /deleted/, 'overview'],
  ['what is missing outside a project leads to all projects', answered(404), undefined, /deleted/, 'projects'],
  ['a busy server leads to its status', answered(429), 'a/b', undefined, 'status'],
  ['a failed server leads to its status', answered(500), 'a/b', undefined, 'status'],
  ['invalid input leads nowhere else', answered(422), 'a/b', undefined, undefined],
  ['an error of the page leads nowhere else', new Error('no'), 'a/b', undefined, undefined],
])('%s', (_what, error, project, text, way) => {
  const help = helpFor(error, project)
  expect(help.way).toBe(way)
  if (text) expect(help.text).toMatch(text)
  else expect(help.text).toBeUndefined()
})

test.each([
  [0, '0 s'],
  [99, '99 s'],
  [100, '2 min'],
  [3600, '60 min'],
])('a wait of %i seconds is written as %s', (seconds, text) => expect(waitText(seconds)).toBe(text))
