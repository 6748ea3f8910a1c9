import type { EncodedConversation } from './data/encode-conversation.ts'
import { learningRateAt } from './learning-rate.ts'
import type { LocalTraining } from './local-training.ts'
import type { PretrainingPlan } from './plans.ts'
import { stepBatches } from './step-batches.ts'

export interface StepReport {
  /** Number of the step just made, from 0. */
  step: number
  /** Mean over the scored tokens, in nats. */
  loss: number
  entropy: number
  tokens: number
  gradientNorm: number
  learningRate: number
}

export type TrainableModel = Pick<LocalTraining, 'forward' | 'backward' | 'step'>

/** Runs the optimizer steps `from` to `to` - 1 of a plan: the mean loss over all of the assistant's tokens, one batch after the other. */
export function* trainSteps(
  model: TrainableModel,
  { plan, from, to }: { plan: PretrainingPlan; from: number; to: number },
): Generator<StepReport> {
  for (let step = from; step < to; step++) {
    const batches = stepBatches(plan.batches, step)
    const means = addGradients(model, batches)
    const learningRate = learningRateAt(plan.schedule, step)
    const { weightDecay, clip } = plan
    const gradientNorm = model.step({ learningRate, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay, clip })
    yield { step, ...means, tokens: sumOf(batches.flat(), ({ tokens }) => tokens.length), gradientNorm, learningRate }
  }
}

function addGradients(model: TrainableModel, batches: readonly EncodedConversation[][]): { loss: number; entropy: number } {
  const scored = sumOf(batches.flat(), ({ scored: marks }) => total(marks))
  let [loss, entropy] = [0, 0]
  for (const batch of batches) {
    const { logProbabilities, entropies } = model.forward(batch)
    loss -= sumOf(logProbabilities, total) / scored
    entropy += sumOf(entropies, total) / scored
    model.backward(batch.map((sequence) => Float32Array.from(sequence.scored, (mark) => -mark / scored)))
  }
  return { loss, entropy }
}

function sumOf<T>(list: readonly T[], value: (each: T) => number): number {
  return list.reduce((sum, each) => sum + value(each), 0)
}

const total = (values: Float32Array | Uint8Array) => {
  let sum = 0
  for (const value of values) sum += value
  return sum
}
