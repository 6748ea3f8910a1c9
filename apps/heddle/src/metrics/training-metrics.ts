import type { TrainingObserver } from '@heddle/training'
import type { MetricRegistry } from './registry.ts'

/** Counts what training jobs of this process learn, and what of training step by step is not traced. */
export function trainingMetrics(registry: MetricRegistry): TrainingObserver {
  return {
    onPrepared(kind, { num_trajectories: trajectories = 0, reward }) {
      registry.count('trainingTrajectories', trajectories, { kind })
      if (kind === 'rl' && reward !== undefined) registry.set('trainingReward', reward)
    },
    onGradientStep(kind, { num_trainable_tokens: tokens = 0 }) {
      registry.count('trainingSteps', 1, { kind })
      registry.count('trainingTokens', tokens, { kind })
    },
    onUntraced(reason, requests) {
      registry.count('untracedRequests', requests, { reason })
    },
  }
}
