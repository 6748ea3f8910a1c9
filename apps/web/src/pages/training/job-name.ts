import type { TrainingJob } from '@heddle/core-api'

/** What a list calls a job: its kind, and the end of its id. */
export const jobName = ({ kind, id }: Pick<TrainingJob, 'kind' | 'id'>) =>
  `${kind === 'rl' ? 'Reinforcement learning' : 'Fine-tuning'} ${id.slice(-8)}`
