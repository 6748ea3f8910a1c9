import { planTraining, trainableGroups } from '@heddle/agent-instrumentation/from-traces'
import { training } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { ToolError } from '../../answer/tool-error.ts'
import { inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { readTrajectories, trajectorySource } from './trajectory-source.ts'

const { body, headers, output } = training.trainingJobs.create

const Input = z.object({
  ...inProject,
  model_id: body.shape.model_id,
  ...trajectorySource,
  config: body.shape.experimental_config.describe('Such as {"learning_rate": 1e-5}'),
  dry_run: z.boolean().default(true).describe('False: start the job'),
  idempotency_key: headers.shape['idempotency-key'].describe('Repeats start one job'),
})

const Output = z.object({
  job_id: output.shape.id.nullable(),
  groups: z.number(),
  trajectories: z.number(),
  tokens: z.number(),
  rewards: z.object({ min: z.number(), mean: z.number(), max: z.number(), std_dev: z.number() }).nullable(),
  refused: z.array(z.object({ reason: z.string(), attempts: z.number() })),
})

/** Starts reinforcement learning from recorded attempts, or previews the training data. */
export const trainingJobCreate = defineTool({
  name: 'training_job_create',
  title: 'Train a model on recorded attempts',
  description:
    'Trains on attempts that traces recorded. A dry run (default) says on what, and what is refused. Example: {"model_id": "<id>", "since": "2026-11-16", "dry_run": false, "idempotency_key": "week-47"}',
  toolset: 'training',
  operation: training.trainingJobs.create,
  previews: true,
  input: Input,
  output: Output,
  run: createJob,
})

async function createJob(input: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const model = await context.training.models.read({ model_id: input.model_id }, { signal: context.signal })
  const withoutLogprobs = input.config?.allow_training_without_logprobs === true
  const collected = await readTrajectories(input, context, withoutLogprobs)
  const { warnings, groups, trajectories, tokens, rewards, refused } = planTraining(collected)
  const plan = { groups, trajectories, tokens, rewards, refused }
  const said = `${plan.groups} groups with ${plan.trajectories} trajectories`
  if (input.dry_run) {
    return {
      headline: `Dry run: ${model.name} would train on ${said}. Pass dry_run: false to start.`,
      data: context.recorded({ job_id: null, ...plan }),
      warnings,
    }
  }
  if (!context.allowsWrites) {
    throw new ToolError(
      'forbidden',
      `writing is not allowed here; a dry run says: ${said}`,
      'Ask the operator to start the server with --allow-writes, or over HTTP for a key that may write.',
    )
  }
  if (plan.groups === 0)
    throw new ToolError('bad_request', 'no groups to train on', 'Call trajectories_preview, which says why groups are dropped.')
  const request = { model_id: input.model_id, trajectory_groups: trainableGroups(collected.groups), experimental_config: input.config }
  const key = input.idempotency_key === undefined ? {} : { 'idempotency-key': input.idempotency_key }
  const { id } = await context.training.trainingJobs.create({ ...request, ...key }, { signal: context.signal, timeoutMs: 120_000 })
  return {
    headline: `Job ${id} trains ${model.name} on ${said}. training_job_wait follows it.`,
    data: context.recorded({ job_id: id, ...plan }),
    warnings,
    links: [{ uri: `job://${id}`, name: 'The job' }],
  }
}
