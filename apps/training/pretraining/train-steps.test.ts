import { expect, test } from 'vitest'
import type { TokenSequence } from '../src/engine/engine.ts'
import { planOf } from './plans.ts'
import { trainSteps, type TrainableModel } from './train-steps.ts'

/** A model that gives every token the same probability, and keeps what it is asked. */
function uniformModel() {
  const seen = { coefficients: 0, rates: [] as number[], forwards: 0 }
  let pending: readonly TokenSequence[] = []
  const model: TrainableModel = {
    forward(batch) {
      pending = batch
      seen.forwards++
      const values = (value: number) => batch.map(({ scored }) => Float32Array.from(scored, (mark) => mark * value))
      return { logProbabilities: values(-2), entropies: values(2) }
    },
    backward(coefficients) {
      expect(coefficients.map(({ length }) => length)).toEqual(pending.map(({ tokens }) => tokens.length))
      for (const row of coefficients) for (const coefficient of row) seen.coefficients += coefficient
    },
    step({ learningRate }) {
      seen.rates.push(learningRate)
      return 1
    },
  }
  return { model, seen }
}

test('a step makes one update from the mean loss of all that the assistant says', () => {
  const { model, seen } = uniformModel()
  const plan = planOf('heddle-nano')
  const reports = [...trainSteps(model, { plan, from: 3, to: 5 })]
  expect(reports.map(({ step, loss, entropy }) => [step, Number(loss.toFixed(5)), Number(entropy.toFixed(5))])).toEqual([
    [3, 2, 2],
    [4, 2, 2],
  ])
  expect(seen.forwards).toBeGreaterThan(1)
  expect(seen.coefficients).toBeCloseTo(-2, 3)
  expect(seen.rates).toEqual([(plan.schedule.highest * 4) / 200, (plan.schedule.highest * 5) / 200])
})

test('a model without a plan is refused with the names of those that have one', () => {
  expect(() => planOf('heddle-giant')).toThrow('no plan for "heddle-giant"; there are heddle-nano, heddle-micro')
})
