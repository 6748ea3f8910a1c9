import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf, recordOf } from '../shapes/bounded.ts'
import { Identifier } from '../shapes/identifier.ts'
import { JsonObjectShape } from '../shapes/json.ts'
import { lenientIntBetween, LenientNumber } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { choiceOf } from './choice-of.ts'
import { pageOf } from './page.ts'
import { projectHeader } from './project-header.ts'

/** The number comes first: an error describes the first of alternatives. */
const autoOr = <S extends z.ZodType>(schema: S) => z.union([schema, z.literal('auto')])

const SupervisedHyperparameters = z.object({
  n_epochs: orNull(autoOr(lenientIntBetween(1, 100))).describe(
    'Passes over the file. `auto`: 3, more of a short and fewer of a long file; 1 for preference pairs',
  ),
  batch_size: orNull(autoOr(lenientIntBetween(1, 10_000))).describe('Lines of a gradient step. `auto`: 2'),
  learning_rate_multiplier: orNull(autoOr(LenientNumber)).describe('Times the learning rate of the base model, above 0 to 1000. `auto`: 1'),
})
const DpoHyperparameters = SupervisedHyperparameters.extend({
  beta: orNull(autoOr(LenientNumber)).describe('How strongly the start holds the model, above 0 to 100. `auto`: 0.1'),
})

const Method = z.object({
  type: choiceOf(['supervised', 'dpo', 'reinforcement']).describe('`reinforcement` is refused: train on trajectories instead'),
  supervised: orNull(z.object({ hyperparameters: orNull(SupervisedHyperparameters) })),
  dpo: orNull(z.object({ hyperparameters: orNull(DpoHyperparameters) })),
})

/** A request to fine-tune a model, in the form of OpenAI's API. */
export const FineTuningRequest = z.object({
  model: Identifier.describe(
    'A base model, from which a new model is trained, or a trained model as `entity/project/name`, which is trained further',
  ),
  training_file: Identifier.describe('Id of an uploaded file'),
  validation_file: orNull(Identifier).describe(
    'Id of an uploaded file that is not learned: its loss is measured after each pass. Of the kind of the training file',
  ),
  suffix: orNull(z.string().max(64)).describe('Beginning of the name of a new model, at most 64 characters. Null: that of the base model'),
  method: orNull(Method).describe('Null: `supervised`'),
  hyperparameters: orNull(SupervisedHyperparameters).describe('Older place of the hyperparameters of a supervised method'),
  seed: orNull(lenientIntBetween(0, 2 ** 31 - 1)).describe('Of the order of the lines and of new weights. Null: one is generated'),
  metadata: orNull(recordOf(z.string().max(512), 16)).describe('At most 16 texts, which the job repeats'),
  integrations: orNull(listOf(JsonObjectShape, 100)).describe('Refused where there are any'),
})
export type FineTuningRequest = z.output<typeof FineTuningRequest>

const ResolvedHyperparameters = z.object({
  n_epochs: z.number(),
  batch_size: z.number(),
  learning_rate_multiplier: z.number(),
})
const ResolvedMethod = z.discriminatedUnion('type', [
  z.object({ type: z.literal('supervised'), supervised: z.object({ hyperparameters: ResolvedHyperparameters }) }),
  z.object({ type: z.literal('dpo'), dpo: z.object({ hyperparameters: ResolvedHyperparameters.extend({ beta: z.number() }) }) }),
])

/** A fine-tuning job, in the form of OpenAI's API. */
export const FineTuningJob = z
  .object({
    id: z.string().describe('`ftjob-` and the id of the training job'),
    object: z.literal('fine_tuning.job'),
    created_at: z.number().describe('Unix seconds'),
    finished_at: z.number().nullable().describe('Null until it has ended'),
    estimated_finish: z.number().nullable().describe('By the pace of its gradient steps. Null unless it runs'),
    status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
    model: z.string().describe('As in the request'),
    fine_tuned_model: z.string().nullable().describe('Name for chat completions, with its step. Null unless it succeeded'),
    organization_id: z.string().describe('Entity of the project'),
    training_file: z.string(),
    validation_file: z.string().nullable(),
    result_files: z.array(z.string()).describe('Empty: metrics are in the events'),
    method: ResolvedMethod.describe('With the values that are used where the request has `auto`'),
    hyperparameters: ResolvedHyperparameters,
    seed: z.number(),
    trained_tokens: z.number().nullable().describe('Tokens of all gradient steps. Null unless it succeeded'),
    error: z.object({ code: z.string(), message: z.string(), param: z.string().nullable() }).nullable().describe('Null unless it failed'),
    metadata: z.record(z.string(), z.string()).nullable(),
    integrations: z.array(z.never()),
  })
  .meta({ id: 'FineTuningJob' })
export type FineTuningJob = z.output<typeof FineTuningJob>

/** Something that happened to a fine-tuning job, in the form of OpenAI's API. */
export const FineTuningEvent = z
  .object({
    id: z.string(),
    object: z.literal('fine_tuning.job.event'),
    created_at: z.number().describe('Unix seconds'),
    level: z.enum(['info', 'warn', 'error']),
    message: z.string(),
    type: z.enum(['message', 'metrics']),
    data: z
      .record(z.string(), z.unknown())
      .describe(
        'Of `metrics`: `step`, `total_steps`, `train_loss` and, after each pass with a validation file, `valid_loss` and `full_valid_loss`, its mean loss over the whole file',
      ),
  })
  .meta({ id: 'FineTuningEvent' })
export type FineTuningEvent = z.output<typeof FineTuningEvent>

/** The checkpoint of a fine-tuning job, in the form of OpenAI's API. */
export const FineTuningCheckpoint = z
  .object({
    id: z.string(),
    object: z.literal('fine_tuning.job.checkpoint'),
    created_at: z.number().describe('Unix seconds'),
    fine_tuning_job_id: z.string(),
    fine_tuned_model_checkpoint: z.string().describe('Name for chat completions'),
    step_number: z.number().describe('Gradient steps of the job'),
    metrics: z.object({
      step: z.number(),
      train_loss: z.number().optional(),
      valid_loss: z.number().optional(),
      full_valid_loss: z.number().optional(),
    }),
  })
  .meta({ id: 'FineTuningCheckpoint' })
export type FineTuningCheckpoint = z.output<typeof FineTuningCheckpoint>

const jobPath = z.object({ fine_tuning_job_id: Identifier.describe('Id of the job') })
const after = orNull(Identifier).describe('Id of the last item of the page before. Null: from the beginning')
const limitOf = (usual: number) => orDefault(lenientIntBetween(1, 1_000), usual).describe('Items of a page, 1 to 1000')

/** Fine-tuning jobs, for clients of OpenAI. */
export const fineTuningJobs = defineResource('Fine-tuning in the form of OpenAI’s API', {
  create: {
    method: 'POST',
    path: '/v1/fine_tuning/jobs',
    effect: 'write',
    repeat: 'adds',
    summary: 'Fine-tune a model on an uploaded file',
    description:
      'A job of supervised fine-tuning, or of direct preference optimization. A base model gets a new model in the project of `OpenAI-Project`, or else of the file.',
    headers: projectHeader,
    body: FineTuningRequest,
    output: FineTuningJob,
  },
  list: {
    method: 'GET',
    path: '/v1/fine_tuning/jobs',
    effect: 'read',
    summary: 'List fine-tuning jobs',
    description: 'Newest first: the jobs that were created at this address.',
    headers: projectHeader,
    query: z.object({ after, limit: limitOf(20) }),
    output: pageOf(FineTuningJob),
  },
  read: {
    method: 'GET',
    path: '/v1/fine_tuning/jobs/{fine_tuning_job_id}',
    effect: 'read',
    summary: 'Read a fine-tuning job',
    params: jobPath,
    output: FineTuningJob,
  },
  cancel: {
    method: 'POST',
    path: '/v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel',
    effect: 'write',
    storage: 'frees',
    summary: 'Cancel a fine-tuning job',
    description: 'A job that has ended stays as it is. One that runs ends soon, and makes no checkpoint.',
    params: jobPath,
    output: FineTuningJob,
  },
  events: {
    method: 'GET',
    path: '/v1/fine_tuning/jobs/{fine_tuning_job_id}/events',
    effect: 'read',
    summary: 'List the events of a fine-tuning job',
    description: 'Newest first.',
    params: jobPath,
    query: z.object({ after, limit: limitOf(20) }),
    output: pageOf(FineTuningEvent),
  },
  checkpoints: {
    method: 'GET',
    path: '/v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints',
    effect: 'read',
    summary: 'List the checkpoints of a fine-tuning job',
    description: 'A job that succeeded has one, until it is deleted.',
    params: jobPath,
    query: z.object({ after, limit: limitOf(10) }),
    output: pageOf(FineTuningCheckpoint),
  },
})
