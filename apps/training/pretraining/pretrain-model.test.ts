import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type PretrainingPlan, planOf } from './plans.ts'
import { describeAccuracies, pretrainModel } from './pretrain-model.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-pretraining-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const plan = planOf('heddle-nano')

/** A short run, whose rate does not fall: so it is the beginning of a longer one. */
const planFor = (steps: number): PretrainingPlan => ({
  ...plan,
  schedule: { ...plan.schedule, steps, decayShare: 0 },
  batches: { ...plan.batches, conversationsPerStep: 4 },
})

const run = (name: string, steps: number) =>
  pretrainModel({ plan: planFor(steps), folder: join(folder, name), exercisesPerTask: 1, stateEveryMs: 1e9, say: () => {} })

const weightsOf = (name: string) => readFileSync(join(folder, name, 'weights', 'model.safetensors'))

test('a run that continues from its state ends with the weights of one that was never interrupted', async () => {
  await run('whole', 4)
  await run('interrupted', 2)
  const early = weightsOf('interrupted')
  cpSync(join(folder, 'interrupted'), join(folder, 'resumed'), { recursive: true })
  await run('resumed', 4)
  expect(weightsOf('resumed').equals(weightsOf('whole'))).toBe(true)
  expect(weightsOf('resumed').equals(early)).toBe(false)
})

test('the report has the accuracy of every task', async () => {
  const { accuracies, parameters } = await run('report', 1)
  expect(parameters).toBe(139_584)
  expect(describeAccuracies(accuracies).split('\n')).toHaveLength(accuracies.length + 2)
  expect(accuracies.every(({ greedy, sampled }) => greedy <= 1 && sampled <= 1)).toBe(true)
})
