import { expect, test } from 'vitest'
import { evaluationOf, filterRuns } from './filter-runs.ts'
import type { ListedRun } from '../listed-run.ts'

const ref = (name: string, version: string) => `weave:///acme/shop/object/${name}:${version}`
const run = (id: string, fields: Partial<ListedRun>) =>
  ({ id, name: id, model: null, status: 'completed', evaluation: null, ...fields }) as ListedRun
const runs = [
  run('c', { model: 'Large:2', evaluation: ref('answers', 'v2'), status: 'running' }),
  run('b', { model: 'small', evaluation: ref('answers', 'v1') }),
  run('a', { model: 'small', evaluation: ref('other', 'v1'), status: 'failed' }),
]

test.each([
  [{}, ['c', 'b', 'a']],
  [{ evaluation: 'answers' }, ['c', 'b']],
  [{ status: 'failed' as const }, ['a']],
  [{ find: ' large ' }, ['c']],
  [{ find: 'small', evaluation: 'answers' }, ['b']],
  [{ find: 'B' }, ['b']],
  [{ evaluation: 'missing' }, []],
])('%j lists %j', (search, ids) => {
  expect(filterRuns(runs, search).map(({ id }) => id)).toEqual(ids)
})

test('runs of several versions are of one evaluation, and one that names none is of its own name', () => {
  expect(runs.map(evaluationOf)).toEqual(['answers', 'answers', 'other'])
  expect(evaluationOf({ name: 'nightly', evaluation: null })).toBe('nightly')
  expect(evaluationOf({ name: 'nightly', evaluation: 'no reference' })).toBe('nightly')
})
