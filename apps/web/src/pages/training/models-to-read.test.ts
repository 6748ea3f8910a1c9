import { expect, test } from 'vitest'
import { modelsToRead } from './models-to-read.ts'

test('the checkpoints of each model are read once, up to the newest that a job of the list made', () => {
  const job = (model_id: string, step: number | null) => ({ id: `${model_id}${step}`, model_id, step })
  expect(modelsToRead([job('a', null), job('a', 3), job('b', 1), job('a', 2), job('c', null)])).toEqual([
    ['a', 3],
    ['b', 1],
  ])
  expect(modelsToRead(Array.from({ length: 30 }, (_, at) => job(`m${at}`, 1)))).toHaveLength(20)
})
