import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { checked, Refusal } from '../shapes/checked.ts'
import { Identifier } from '../shapes/identifier.ts'
import { JsonObjectShape } from '../shapes/json.ts'
import { lenientIntBetween } from '../shapes/lenient.ts'
import { orNull } from '../shapes/optional.ts'
import { TimestampText } from '../shapes/timestamp.ts'
import { isUuid } from '../shapes/uuid.ts'
import { choiceOf } from './choice-of.ts'
import { orderedPageQuery, pageOf } from './page.ts'
import { repeatHeaders } from './repeat-header.ts'
import { SftConfig } from './sft-config.ts'
import { TrainingConfig } from './training-config.ts'
import { TrajectoryGroups } from './trajectory.ts'

function readUuid(value: unknown): string | Refusal {
  if (typeof value !== 'string') return new Refusal('string_type', 'Input should be a valid string')
  const lowerCase = value.toLowerCase()
  return isUuid(lowerCase) ? lowerCase : new Refusal('uuid_parsing', 'Input should be a valid UUID')
}

/** A UUID of any version; arrives in lower case. */
const Uuid = checked<string>(readUuid, { type: 'string', format: 'uuid' })

/** The status of a training job. The last three are final. */
export const TrainingJobStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled'])

/** One request to train a model. */
export const TrainingJob = z
  .object({
    id: z.string().describe('UUID'),
    status: TrainingJobStatus,
    training_start: TimestampText.nullable().describe('Null until it runs'),
    training_end: TimestampText.nullable().describe('Null until it has ended'),
    error_message: z.string().nullable().describe('Why the job failed. Null unless it failed'),
    model_id: z.string(),
    kind: z.enum(['rl', 'sft']),
    created_at: TimestampText,
    created_by: z.string().describe('An addition of this server. The user whose key started it'),
    parent_step: z.number().nullable().describe('Step of the checkpoint that it starts from. Null until it runs'),
    step: z.number().nullable().describe('Step of the checkpoint that it made. Null unless it succeeded'),
    trainable_tokens: z
      .number()
      .nullable()
      .describe('An addition of this server. Tokens that its gradient steps have trained on so far. Null while no step has reported any'),
    message: z.string().nullable().describe('Why the job trained nothing although it succeeded. Null otherwise'),
    config: z
      .record(z.string(), z.union([z.number(), z.boolean(), z.string()]))
      .describe(
        'An addition of this server. At most 100 values of the config of the request: its numbers, booleans and texts of at most 200 characters',
      ),
  })
  .meta({ id: 'TrainingJob' })
export type TrainingJob = z.output<typeof TrainingJob>

/** Path parameter of the operations of one job. */
export const jobPath = z.object({ job_id: Identifier.describe('Id of the job') })
const Created = z.object({ id: z.string().describe('UUID of the job') })
const CreatedOrFound = Created.extend({
  created: z
    .boolean()
    .describe('An addition of this server. False: this is the job of an earlier, equal request, and no new one was created'),
})

/** What a job on conversations would do. */
export const SftEstimate = z
  .object({
    base_model: z.string(),
    learning_rate: z
      .union([z.number(), z.array(z.number())])
      .describe('Learning rate of all gradient steps before warm-up and schedule, or a list with the rate of each step'),
    held_out: z.number().describe('Examples that are held out of training'),
    steps: z.number().nullable().describe('Gradient steps of all passes, unless the job ends early. Null when steps are filled by tokens'),
    longest_tokens: z.number().nullable().describe('Tokens of `longest_example`. Null without one'),
    context_tokens: z
      .number()
      .describe('Context length of the model in tokens. Longer conversations are dropped; a job fails if all are longer'),
    adapter: z
      .object({ rank: z.number(), alpha: z.number(), target_modules: z.array(z.string()).describe('Linear layers that get an adapter') })
      .nullable()
      .describe('The adapter that is trained. Null: all weights are trained'),
    memory: z
      .object({
        weights_bytes: z.number().describe('Bytes of the initial weights'),
        training_bytes: z.number().describe('Bytes of the trained weights, their gradients and the optimizer state'),
        activations_bytes: z.number().describe('Bytes of activations for the longest sequences of a batch, over all threads'),
        needed_bytes: z.number().describe('Bytes that the job needs of the memory for models'),
        limit_bytes: z.number().describe('Size of the memory for models, in bytes'),
        process_bytes: z
          .number()
          .describe('Approximate memory of the engine process during the job, with file buffers and caches, in bytes'),
      })
      .nullable()
      .describe('Null: models are not trained on this machine'),
  })
  .meta({ id: 'SftEstimate' })
export type SftEstimate = z.output<typeof SftEstimate>

/** Training jobs, on trajectories (reinforcement learning) or on conversations (supervised fine-tuning). */
export const trainingJobs = defineResource('Training jobs, on trajectories or on conversations', {
  create: {
    method: 'POST',
    path: '/v1/preview/training-jobs',
    effect: 'write',
    repeat: { idAt: ['idempotency-key'] },
    staged: true,
    summary: 'Train a model on trajectories',
    description:
      'Reinforcement learning. Returns at once; the job runs when the earlier ones of its model have ended, and makes one checkpoint. At most 256 MiB.',
    headers: repeatHeaders,
    body: z.object({
      model_id: Uuid.describe('Id of the model'),
      trajectory_groups: TrajectoryGroups.describe('Groups of attempts at one task each'),
      experimental_config: orNull(TrainingConfig).describe('Null: defaults'),
    }),
    output: Created,
  },
  createSft: {
    method: 'POST',
    path: '/v1/preview/sft-training-jobs',
    effect: 'write',
    summary: 'Train a model on conversations',
    description:
      'Supervised fine-tuning, or with `dpo` preference optimization. Makes one checkpoint. A request with the model, address and config of an earlier job returns that job with `created` false, unless it failed or was cancelled. With an `Idempotency-Key` that was not used before, it creates a new job, for example for a second pass over the data.',
    headers: repeatHeaders,
    body: z.object({
      model_id: Uuid.describe('Id of the model'),
      training_data_url: z.string().max(2_000).describe('Address of uploaded training data, or an https address of a JSON Lines file'),
      config: orNull(SftConfig).describe('Null: defaults'),
      experimental_config: orNull(JsonObjectShape).describe('Ignored'),
    }),
    output: CreatedOrFound,
  },
  estimateSft: {
    method: 'POST',
    path: '/v1/preview/sft-training-jobs/estimate',
    effect: 'read',
    summary: 'Estimate a job on conversations',
    description:
      'An addition of this server. Describes what such a job would do, without creating it. A config that its creation would refuse is refused with 400.',
    body: z.object({
      model_id: orNull(Uuid).describe('Id of the model. Null: a new model from `base_model`'),
      base_model: orNull(Identifier).describe('Id of a base model. Ignored with `model_id`'),
      examples: lenientIntBetween(1, 2 ** 31 - 1).describe('Lines of the training data'),
      config: orNull(SftConfig).describe('Null: defaults'),
      longest_example: orNull(z.string().max(1_000_000)).describe(
        'The line of the training data with the most characters, whose tokens say how much memory the job takes. Null: sequences that fill the context of the model',
      ),
    }),
    output: SftEstimate,
  },
  list: {
    method: 'GET',
    path: '/v1/preview/training-jobs',
    effect: 'read',
    summary: 'List training jobs',
    description: 'An addition of this server.',
    query: z.object({
      model_id: orNull(Uuid).describe('Only jobs of this model'),
      entity: orNull(Identifier).describe('Null: the entity of the API key. Ignored with model_id'),
      project: orNull(Identifier).describe(
        'Name of the project, without the entity. Null: every project of the entity that the API key may read. Ignored with model_id',
      ),
      kind: orNull(choiceOf(['rl', 'sft'])).describe('Only jobs of this kind'),
      status: orNull(choiceOf(TrainingJobStatus.options)).describe('Only jobs of this status'),
      ...orderedPageQuery('creation', 'desc'),
    }),
    output: pageOf(TrainingJob),
  },
  read: {
    method: 'GET',
    path: '/v1/preview/training-jobs/{job_id}',
    effect: 'read',
    summary: 'Read a training job',
    params: jobPath,
    output: TrainingJob,
  },
  cancel: {
    method: 'POST',
    path: '/v1/preview/training-jobs/{job_id}/cancel',
    effect: 'write',
    storage: 'frees',
    summary: 'Cancel a training job',
    description: 'An addition of this server. A job that has ended is not changed. A running job ends soon, and makes no checkpoint.',
    params: jobPath,
    output: TrainingJob,
  },
})
