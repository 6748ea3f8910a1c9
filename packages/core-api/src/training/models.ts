import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { Identifier } from '../shapes/identifier.ts'
import { LenientBoolean } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { pageOf, pageQuery } from './page.ts'
import { repeatHeaders } from './repeat-header.ts'

/** A model in training: a base model with its checkpoints. */
export const TrainedModel = z
  .object({
    id: z.string().describe('UUID'),
    entity: z.string(),
    project: z.string(),
    name: z.string().describe('Unique within the project'),
    base_model: z.string().describe('Where its training began'),
    run_id: z.string().nullable().describe('Run of a tracking service that belongs to the model. Null: the run with its name'),
  })
  .meta({ id: 'TrainedModel' })
export type TrainedModel = z.output<typeof TrainedModel>

/** Path parameter of the operations of one model. */
export const modelPath = z.object({ model_id: Identifier.describe('Id of the model') })

/** Models that are trained. */
export const trainedModels = defineResource('Models that are trained', {
  create: {
    method: 'POST',
    path: '/v1/preview/models',
    effect: 'write',
    repeat: { idAt: ['idempotency-key'] },
    summary: 'Register a model to train',
    description: 'Its checkpoint of step 0 behaves as the base model. It answers chat completions at once.',
    headers: repeatHeaders,
    body: z.object({
      entity: orNull(Identifier).describe('Null: the entity of the API key'),
      project: Identifier.describe('Name of the project, without the entity'),
      name: z.string().describe('1 to 128 characters'),
      base_model: Identifier.describe('A base model by its id, also behind an organization: `org/id`'),
      return_existing: orDefault(LenientBoolean, false).describe(
        'Return the model that has this name, if it has the same base model, instead of an error',
      ),
    }),
    output: TrainedModel,
  },
  list: {
    method: 'GET',
    path: '/v1/preview/models',
    effect: 'read',
    summary: 'List models',
    description: 'An addition of this server. In order of registration.',
    query: z.object({
      entity: orNull(Identifier).describe('Null: the entity of the API key'),
      project: orNull(Identifier).describe(
        'Name of the project, without the entity. Null: every project of the entity that the API key may read',
      ),
      name: orNull(Identifier).describe('Only the model with this name'),
      ...pageQuery,
    }),
    output: pageOf(TrainedModel),
  },
  read: {
    method: 'GET',
    path: '/v1/preview/models/{model_id}',
    effect: 'read',
    summary: 'Read a model',
    description: 'An addition of this server.',
    params: modelPath,
    output: TrainedModel,
  },
  delete: {
    method: 'DELETE',
    path: '/v1/preview/models/{model_id}',
    effect: 'destroy',
    summary: 'Delete a model with its checkpoints',
    description: 'Its jobs are cancelled first. A model with checkpoints that are marked as kept cannot be deleted (409).',
    params: modelPath,
    output: z.object({
      model_id: z.string(),
      deleted_checkpoints: z.number().describe('Number of checkpoints'),
      deleted_run: z.boolean().describe('Whether the model had a run: fine-tuning jobs that logged their metrics'),
    }),
  },
})
