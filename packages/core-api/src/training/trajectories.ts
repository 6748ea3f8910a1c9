import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { Identifier } from '../shapes/identifier.ts'
import { lenientIntBetween } from '../shapes/lenient.ts'
import { Nothing } from '../shapes/nothing.ts'
import { orNull } from '../shapes/optional.ts'
import { TimestampText } from '../shapes/timestamp.ts'
import { modelPath } from './models.ts'
import { pageOf, pageQuery } from './page.ts'
import { repeatHeaders } from './repeat-header.ts'
import { TrajectoryGroups } from './trajectory.ts'

/** A trajectory as it was logged, without log-probabilities and token ids. */
export const LoggedTrajectory = z
  .object({
    id: z.string().describe('That of its group, with its place'),
    messages: z
      .array(z.record(z.string(), z.unknown()))
      .describe('Messages of all histories in order. `trainable` is true where the policy sampled them, `history` counts from 0'),
    tools: z.array(z.unknown()).nullable(),
    reward: z.number(),
    initial_policy_version: z.number().nullable(),
    final_policy_version: z.number().nullable(),
    metrics: z.record(z.string(), z.unknown()),
    metadata: z.record(z.string(), z.unknown()),
    logs: z.array(z.string()),
    start_time: z.string().nullable(),
  })
  .meta({ id: 'LoggedTrajectory' })

/** A trajectory group as it was logged. */
export const LoggedTrajectoryGroup = z
  .object({
    id: z.string().describe('UUID'),
    split: z.string(),
    step: z.number().describe('Newest step of the model at that time'),
    trajectories: z.array(LoggedTrajectory),
    exceptions: z.array(z.unknown()).describe('Attempts that failed'),
    metrics: z.record(z.string(), z.unknown()),
    metadata: z.record(z.string(), z.unknown()),
    logs: z.array(z.string()),
    created_at: TimestampText,
  })
  .meta({ id: 'LoggedTrajectoryGroup' })
export type LoggedTrajectoryGroup = z.output<typeof LoggedTrajectoryGroup>

/** Rollouts that were logged. */
export const trajectories = defineResource('Rollouts that were logged', {
  log: {
    method: 'POST',
    path: '/v1/preview/models/{model_id}/log',
    effect: 'write',
    repeat: { idAt: ['idempotency-key'] },
    staged: true,
    summary: 'Log trajectories of a model',
    description:
      'Stores them for reading and merges their metrics into those of the newest checkpoint, as `<split>/<name>`: the mean `reward`, `reward_std_dev`, `exception_rate` and every metric of the trajectories. Trains nothing.',
    params: modelPath,
    headers: repeatHeaders,
    body: z.object({
      split: z.string().describe('Such as `train` or `val`; 1 to 64 characters'),
      trajectory_groups: TrajectoryGroups.describe('Groups of attempts at one task each'),
    }),
    output: Nothing,
  },
  list: {
    method: 'GET',
    path: '/v1/preview/models/{model_id}/trajectories',
    effect: 'read',
    summary: 'List logged trajectories of a model',
    description: 'An addition of this server. The newest groups first.',
    params: modelPath,
    query: z.object({
      split: orNull(Identifier).describe('Only groups of this split'),
      step: orNull(lenientIntBetween(0, 2 ** 31 - 1)).describe('Only groups that were logged at this step'),
      trajectory_id: orNull(Identifier).describe('Only the group with this trajectory: its id, or the `trajectory_id` of its metadata'),
      trace_id: orNull(Identifier).describe('Only groups with a trajectory whose metadata has this `trace_id`'),
      ...pageQuery,
    }),
    output: pageOf(LoggedTrajectoryGroup),
  },
})
