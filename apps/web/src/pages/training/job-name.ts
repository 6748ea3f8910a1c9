import type { TrainingJob } from '@heddle/core-api/types'

/** A job by the end of its id. */
export const nameOfJob = (id: string) => `job ${id.slice(-8)}`

/** The name of a job in lists: its kind, and the end of its id. */
export const jobName = ({ kind, id }: Pick<TrainingJob, 'kind' | 'id'>) =>
  `${kind === 'rl' ? 'Reinforcement learning' : 'Fine-tuning'} ${id.slice(-8)}`
