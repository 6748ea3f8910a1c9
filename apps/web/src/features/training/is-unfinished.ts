import type { TrainingJob } from '@heddle/core-api/types'

/** Whether more may happen to a job. */
export const isUnfinished = ({ status }: Pick<TrainingJob, 'status'>): boolean => status === 'queued' || status === 'running'
