import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { TimestampText } from '../shapes/timestamp.ts'
import { pageOf, pageQuery } from './page.ts'
import { jobPath } from './training-jobs.ts'

/** Something that happened to a job. */
export const TrainingEvent = z
  .object({
    id: z.string().describe('UUID'),
    type: z.enum(['training_started', 'gradient_step', 'training_ended', 'training_failed']),
    data: z
      .record(z.string(), z.unknown())
      .describe(
        '`num_sequences` of `training_started`, and `library`, which multiplied matrices where the job began (null: none beside the engine); metrics of `gradient_step`, all numbers; `error_message` of `training_failed`',
      ),
    created_at: TimestampText,
  })
  .meta({ id: 'TrainingEvent' })
export type TrainingEvent = z.output<typeof TrainingEvent>

/** What happened to training jobs. */
export const trainingEvents = defineResource('What happened to training jobs', {
  list: {
    method: 'GET',
    path: '/v1/preview/training-jobs/{job_id}/events',
    effect: 'read',
    summary: 'List the events of a training job',
    description:
      'Oldest first: `training_started`, a `gradient_step` for each step of the optimizer, and one of `training_ended` and `training_failed`. Once the job has ended its checkpoint is served.',
    params: jobPath,
    query: z.object(pageQuery),
    output: pageOf(TrainingEvent),
  },
})
