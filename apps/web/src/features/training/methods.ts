import type { TrainingJob } from '@heddle/core-api/types'

/** Names of a job's method, long and short. */
export const methods: Readonly<Record<TrainingJob['kind'], { short: string; title: string }>> = {
  rl: { short: 'RL', title: 'Reinforcement learning' },
  sft: { short: 'SFT', title: 'Supervised fine-tuning' },
}
