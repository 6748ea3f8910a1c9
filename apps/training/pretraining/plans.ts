import { modelShapes } from './model-files/model-files.ts'
import type { LearningRateSchedule } from './learning-rate.ts'
import type { BatchSettings } from './step-batches.ts'

/** Everything that decides the weights of a base model, besides its shape and the data. */
export interface PretrainingPlan {
  model: string
  schedule: LearningRateSchedule
  batches: BatchSettings
  /** AdamW; betas as in RL jobs. */
  weightDecay: number
  clip: number
  /** Seed of the first weights. */
  seed: number
}

interface PlanSize {
  steps: number
  highestRate: number
  conversationsPerStep: number
  copySteps: number
}

const sizes: Readonly<Record<string, PlanSize>> = {
  'heddle-nano': { steps: 6_800, highestRate: 2e-3, conversationsPerStep: 24, copySteps: 1_200 },
  'heddle-micro': { steps: 14_000, highestRate: 1e-3, conversationsPerStep: 24, copySteps: 1_200 },
}

/** @throws Error naming the models there are */
export function planOf(model: string, steps?: number): PretrainingPlan {
  const [size, shape] = [sizes[model], modelShapes[model]]
  if (!size || !shape) throw new Error(`no plan for ${JSON.stringify(model)}; there are ${Object.keys(sizes).join(', ')}`)
  return {
    model,
    schedule: { highest: size.highestRate, steps: steps ?? size.steps, warmupSteps: 200, decayShare: 0.24 },
    batches: {
      seed: 1,
      conversationsPerStep: size.conversationsPerStep,
      copySteps: size.copySteps,
      maxTokens: shape.contextLength,
      batchTokens: 2_048,
    },
    weightDecay: 0.01,
    clip: 1,
    seed: 1,
  }
}
