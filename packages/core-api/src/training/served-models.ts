import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { Identifier } from '../shapes/identifier.ts'
import { lenientIntBetween } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'

/** A model that answers requests, with the fields of OpenAI's and of Anthropic's lists. */
export const ServedModel = z
  .object({
    id: z.string().describe('Value for `model`: the id of a base model, or `entity/project/name`'),
    object: z.literal('model'),
    created: z.number().describe('Unix seconds: when the model was registered, whichever step is named; 0 for a base model'),
    owned_by: z.string().describe('Entity of a trained model; `system` for a base model'),
    type: z.literal('model'),
    display_name: z.string(),
    created_at: z.string().describe('The same as `created`, in ISO 8601'),
  })
  .meta({ id: 'ServedModel' })
export type ServedModel = z.output<typeof ServedModel>

/** Models that answer requests. */
export const servedModels = defineResource('Models that answer requests, as clients of OpenAI and Anthropic list them', {
  list: {
    method: 'GET',
    path: '/v1/models',
    aliases: ['/v1/models/'],
    effect: 'read',
    summary: 'List models that answer requests',
    description:
      'Base models by id, then the trained models of the entity of the API key in order of registration, at most 1000 of them. Each trained model answers with its newest checkpoint; `:stepN` behind its id names another one.',
    query: z.object({
      after_id: orNull(Identifier).describe('Id of the last model of the page before. Null: from the beginning'),
      limit: orDefault(lenientIntBetween(1, 1_000), 1_000).describe('Models of a page, 1 to 1000'),
    }),
    output: z.object({
      object: z.literal('list'),
      data: z.array(ServedModel),
      first_id: z.string().nullable().describe('Null without models'),
      last_id: z.string().nullable().describe('Id of the last model, for `after_id`. Null without models'),
      has_more: z.boolean(),
    }),
  },
  read: {
    method: 'GET',
    path: '/v1/models/{model}',
    effect: 'read',
    summary: 'Read a model that answers requests',
    params: z.object({ model: Identifier.describe('As in requests, `:stepN` included; its slashes are written `%2F`') }),
    output: ServedModel,
  },
})
