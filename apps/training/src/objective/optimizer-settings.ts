import type { OptimizerSettings } from '../engine/engine.ts'

/** AdamW as the reference trainer sets it. The state of the optimizer carries on from job to job, and is new when the kind changes. */
const shared = { beta1: 0.9, beta2: 0.99, epsilon: 1e-8 }

export function rlOptimizer(learningRate: number): OptimizerSettings {
  return { ...shared, learningRate, weightDecay: 0.1, clip: 0.1 }
}

export function sftOptimizer(learningRate: number): OptimizerSettings {
  return { ...shared, learningRate, weightDecay: 0, clip: 1 }
}
