import { expect, test } from 'vitest'
import { pageOfPrinted } from './page-of-printed.ts'

test.each([
  ['calls/0197-1', { path: 'calls/0197-1' }],
  ['calls', { path: 'calls' }],
  ['', { path: 'calls' }],
  ['traces', { path: 'calls' }],
  ['objects/prompt/versions/abc', { path: 'objects/prompt', search: { version: 'abc' } }],
  ['objects/prompt/versions/latest', { path: 'objects/prompt' }],
  ['ops/answer/versions/*', { path: 'ops/answer' }],
  ['ops', { path: 'ops' }],
  ['threads/t-1', { path: 'threads/t-1' }],
  ['evaluations', { path: 'evaluations' }],
  ['leaderboards/x', { path: 'calls' }],
])('an address of a client with %j opens %j', (rest, target) => {
  expect(pageOfPrinted(rest)).toEqual(target)
})

test('a comparison of evaluations opens with its runs', () => {
  expect(pageOfPrinted('compare-evaluations', { evaluationCallIds: ['a', 'b'] })).toEqual({
    path: 'evaluations/compare',
    search: { ids: 'a,b' },
  })
  expect(pageOfPrinted('compare-evaluations', { evaluationCallIds: 'a' })).toEqual({ path: 'evaluations' })
})
