import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { LenientBoolean, lenientIntBetween } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { pageOf, pageQuery } from './page.ts'
import { jobPath } from './training-jobs.ts'
import { LoggedTrajectory } from './trajectories.ts'

/** A group as used by a job of reinforcement learning. */
export const JobTrajectoryGroup = z
  .object({
    id: z.string().describe('That of the job, with the place of the group'),
    group: z.number().describe('Place in the request, from 0'),
    rewards: z.array(z.number()).describe('Of its trajectories, in their order'),
    advantages: z.array(z.number()).describe('How much better than its group each trajectory did. All 0: nothing was learned from it'),
    reward_std_dev: z.number().describe('Of the population. 0: all rewards are the same'),
    truncated: z.number().describe('Trajectories with a choice that ended at its maximum of tokens'),
    num_exceptions: z.number().describe('Attempts that failed'),
    exceptions: z
      .array(z.object({ type: z.string(), message: z.string() }))
      .describe('The first 20 of them, messages up to 2,000 characters'),
    oldest_policy_version: z.number().nullable().describe('Smallest `initial_policy_version`. Null where none says it'),
    metadata: z.record(z.string(), z.unknown()).describe('Of the group. Empty where it has more than 4,000 characters'),
  })
  .meta({ id: 'JobTrajectoryGroup' })
export type JobTrajectoryGroup = z.output<typeof JobTrajectoryGroup>

/** A trajectory of a job. */
export const JobTrajectory = LoggedTrajectory.extend({
  advantage: z.number().describe('0: nothing was learned from it'),
  messages: z
    .array(z.record(z.string(), z.unknown()))
    .describe(
      'Messages of all histories in order. `trainable` is true where the policy sampled them, `history` counts from 0, `finish_reason` says why a choice ended, and `sampled_tokens` has each `token` with its `logprob` in nats if they were requested; null if that was not computed',
    ),
}).meta({ id: 'JobTrajectory' })
export type JobTrajectory = z.output<typeof JobTrajectory>

/** What jobs of reinforcement learning learned from. */
export const jobTrajectories = defineResource('What jobs of reinforcement learning learned from', {
  listGroups: {
    method: 'GET',
    path: '/v1/preview/training-jobs/{job_id}/trajectory-groups',
    effect: 'read',
    summary: 'List the trajectory groups of a training job',
    description:
      'An addition of this server. In the order of the request. Those of the newest ten jobs of a model are kept, and of jobs that have not ended; 404 for others.',
    params: jobPath,
    query: z.object({
      after: pageQuery.after,
      limit: orDefault(lenientIntBetween(1, 1_000), 100).describe('Items of a page, 1 to 1,000'),
    }),
    output: pageOf(JobTrajectoryGroup),
  },
  list: {
    method: 'GET',
    path: '/v1/preview/training-jobs/{job_id}/trajectory-groups/{group}/trajectories',
    effect: 'read',
    summary: 'List the trajectories of a group of a training job',
    description: 'An addition of this server. In the order of the request. A page ends early after 8 MiB, with `has_more`.',
    params: z.object({ ...jobPath.shape, group: lenientIntBetween(0, 100_000).describe('Place of the group in the request, from 0') }),
    query: z.object({
      ...pageQuery,
      log_probabilities: orNull(LenientBoolean).describe('Whether choices come with `sampled_tokens`'),
    }),
    output: pageOf(JobTrajectory),
  },
})
