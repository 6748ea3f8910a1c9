import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { countInState, listJobs } from './listed-jobs.ts'
import { jobsSearch, type JobsSearch } from '../../features/training/training-search.ts'

const jobs = [
  { id: 'a1', model_id: 'm', status: 'running', kind: 'rl' },
  { id: 'b2', model_id: 'n', status: 'failed', kind: 'sft' },
  { id: 'c3', model_id: 'gone', status: 'queued', kind: 'rl' },
] as TrainingJob[]
const models = [
  { id: 'm', name: 'Agent', base_model: 'small' },
  { id: 'n', name: 'Router', base_model: 'tiny' },
] as TrainedModel[]

test.each<[JobsSearch, string[]]>([
  [{}, ['a1', 'b2', 'c3']],
  [{ state: 'active' }, ['a1', 'c3']],
  [{ state: 'failed' }, ['b2']],
  [{ method: 'sft' }, ['b2']],
  [{ base: 'small' }, ['a1']],
  [{ text: 'AGENT' }, ['a1']],
  [{ text: 'c3' }, ['c3']],
  [{ text: 'none' }, []],
])('%j lists %j', (search, ids) => expect(listJobs(jobs, models, search).map(({ job }) => job.id)).toEqual(ids))

test('jobs of each state are counted', () =>
  expect([undefined, 'active', 'failed'].map((state) => countInState(jobs, state as undefined))).toEqual([3, 2, 1]))

test('an address with words that a list does not know lists all', () => {
  expect(jobsSearch({ state: 'odd', method: 3, view: 'x' })).toEqual({})
  expect(jobsSearch({ state: 'active', method: 'rl', base: 'small', text: 'a' })).toEqual({
    state: 'active',
    method: 'rl',
    base: 'small',
    text: 'a',
  })
})
