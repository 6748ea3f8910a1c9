import { expect, test } from 'vitest'
import { modelsToRead, unreadJobs } from './models-to-read.ts'

test('the checkpoints of each model are read once, up to the newest that a job of the list made', () => {
  const job = (model_id: string, step: number | null) => ({ id: `${model_id}${step}`, model_id, step })
  expect(modelsToRead([job('a', null), job('a', 3), job('b', 1), job('a', 2), job('c', null)])).toEqual([
    ['a', 3],
    ['b', 1],
  ])
  expect(modelsToRead(Array.from({ length: 30 }, (_, at) => job(`m${at}`, 1)))).toHaveLength(20)
})

test('jobs whose checkpoints are not read are counted: those of further models, and older ones of a model', () => {
  const aStep = (model_id: string, step: number | null) => ({ id: `${model_id} ${step}`, model_id, step })
  const ofOne = [4, 3, null, 2, 1].map((step) => aStep('a', step))
  expect(unreadJobs(ofOne, 4)).toBe(0)
  expect(unreadJobs(ofOne, 3)).toBe(1)
  const ofMany = Array.from({ length: 25 }, (_, at) => aStep(`model ${at}`, 1))
  expect(unreadJobs(ofMany, 100)).toBe(5)
})
