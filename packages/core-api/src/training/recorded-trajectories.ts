import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf } from '../shapes/bounded.ts'
import { Identifier } from '../shapes/identifier.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { TimestampText } from '../shapes/timestamp.ts'
import { FiniteNumber } from './finite-number.ts'
import { modelPath } from './models.ts'
import { pageOf, pageQuery } from './page.ts'
import { repeatHeaders } from './repeat-header.ts'
import { Metadata, Metrics } from './trajectory.ts'
import { TrainingConfig } from './training-config.ts'

/** A trajectory that the server recorded from chat completions, without its messages. */
export const RecordedTrajectory = z
  .object({
    id: z.string().describe('As in the header `x-heddle-trajectory-id`'),
    group_id: z.string(),
    rollout_id: z.string().nullable(),
    trace_id: z.string().nullable().describe('Of the first request that named one'),
    status: z.enum(['open', 'finished', 'failed']),
    calls: z.number().describe('Recorded chat completions'),
    reward: z.number().nullable().describe('Null while it is open, and where it failed without one'),
    error: z.string().nullable(),
    created_at: TimestampText,
    finished_at: TimestampText.nullable(),
  })
  .meta({ id: 'RecordedTrajectory' })
export type RecordedTrajectory = z.output<typeof RecordedTrajectory>

const Elements = z.array(z.record(z.string(), z.unknown())).describe('Messages as they were sent, and choices as they were sampled')
const Tools = z.array(z.record(z.string(), z.unknown())).nullable()
const Values = z.record(z.string(), z.unknown())

/** Recorded trajectories in the form in which training jobs and logs take them. */
export const RecordedTrajectoryGroup = z
  .object({
    trajectories: z.array(
      z.object({
        messages_and_choices: Elements,
        tools: Tools,
        additional_histories: z.array(z.object({ messages_and_choices: Elements, tools: Tools })),
        reward: z.number(),
        initial_policy_version: z.number().nullable(),
        final_policy_version: z.number().nullable(),
        metrics: Values,
        metadata: Values,
        logs: z.array(z.string()),
        start_time: TimestampText,
      }),
    ),
    exceptions: z.array(z.object({ type: z.string(), message: z.string().nullable(), traceback: z.string().nullable() })),
    metadata: Values,
    metrics: Values,
    logs: z.array(z.string()),
  })
  .meta({ id: 'RecordedTrajectoryGroup' })
export type RecordedTrajectoryGroup = z.output<typeof RecordedTrajectoryGroup>

const recordedPath = modelPath.extend({ trajectory_id: Identifier.describe('As in the header `x-heddle-trajectory-id`') })

const which = {
  group_id: orNull(Identifier).describe('Only this group'),
  rollout_id: orNull(Identifier).describe('Only this rollout'),
}

/** Trajectories that the server records itself, from chat completions with the header `x-heddle-trajectory-id`. */
export const recordedTrajectories = defineResource('Trajectories that the server records from chat completions', {
  list: {
    method: 'GET',
    path: '/v1/preview/models/{model_id}/recorded-trajectories',
    effect: 'read',
    summary: 'List recorded trajectories of a model',
    description: 'An addition of this server. In the order in which they began.',
    params: modelPath,
    query: z.object({
      ...which,
      status: orNull(z.enum(['open', 'finished', 'failed'])).describe('Only trajectories of this status'),
      trace_id: orNull(Identifier).describe('Only trajectories of this trace'),
      ...pageQuery,
    }),
    output: pageOf(RecordedTrajectory),
  },
  read: {
    method: 'GET',
    path: '/v1/preview/models/{model_id}/recorded-trajectories/{trajectory_id}',
    effect: 'read',
    summary: 'Read a recorded trajectory',
    description: 'An addition of this server.',
    params: recordedPath,
    output: RecordedTrajectory,
  },
  finish: {
    method: 'POST',
    path: '/v1/preview/models/{model_id}/recorded-trajectories/{trajectory_id}/finish',
    effect: 'write',
    summary: 'Finish a recorded trajectory with its reward',
    description:
      'An addition of this server. From then on it takes no chat completions. Repeating the request changes nothing; another one gets 409.',
    params: recordedPath,
    body: z.object({
      reward: orNull(FiniteNumber).describe('How good the attempt was. Null: only with an error'),
      metrics: orDefault(Metrics, {}).describe('Numbers and booleans by name'),
      metadata: orDefault(Metadata, {}).describe('Scalars by name'),
      logs: orDefault(listOf(z.string(), 10_000), []).describe('Lines of text'),
      error: orNull(z.string()).describe('Why the attempt failed: it is then counted in its group, and not trained on'),
    }),
    output: RecordedTrajectory,
  },
  groups: {
    method: 'GET',
    path: '/v1/preview/models/{model_id}/recorded-groups',
    effect: 'read',
    stream: 'jsonl',
    summary: 'Read recorded trajectories as groups',
    description:
      'An addition of this server. One trajectory group a line, as training jobs and logs take them, in the order in which they began. Attempts that are open are left out.',
    params: modelPath,
    query: z.object(which),
    output: RecordedTrajectoryGroup,
  },
  train: {
    method: 'POST',
    path: '/v1/preview/models/{model_id}/recorded-groups/train',
    effect: 'write',
    repeat: { idAt: ['idempotency-key'] },
    summary: 'Train a model on recorded trajectories',
    description:
      'An addition of this server. A training job on the groups that the request names, as if they had been sent; attempts that are open are left out.',
    params: modelPath,
    headers: repeatHeaders,
    body: z.object({
      group_id: which.group_id,
      rollout_id: which.rollout_id,
      experimental_config: orNull(TrainingConfig).describe('As in a training job. Null: defaults'),
    }),
    output: z.object({ id: z.string().describe('UUID of the job') }),
  },
  delete: {
    method: 'DELETE',
    path: '/v1/preview/models/{model_id}/recorded-trajectories/{trajectory_id}',
    effect: 'destroy',
    summary: 'Delete a recorded trajectory',
    description: 'An addition of this server.',
    params: recordedPath,
    output: z.object({ deleted: z.boolean().describe('Whether it was there') }),
  },
})
