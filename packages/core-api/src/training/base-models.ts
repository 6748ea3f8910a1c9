import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { pageOf, pageQuery } from './page.ts'

/** A model to begin training from. */
export const TrainableBaseModel = z
  .object({
    id: z.string().describe('Value for `base_model`'),
    name: z.string(),
    parameters: z.number().nullable().describe('Number of weights; null where a training server alone knows it'),
    context_length: z.number().describe('Tokens of prompt and completion together'),
    learning_rates: z.object({ rl: z.number(), sft: z.number() }).describe('Rates that teach it something'),
  })
  .meta({ id: 'TrainableBaseModel' })

/** A folder of the operator's base models that cannot be used. */
export const RefusedBaseModel = z
  .object({
    name: z.string().describe('Name of the folder'),
    reason: z.string().describe('What is wrong with it'),
  })
  .meta({ id: 'RefusedBaseModel' })

/** Models to begin training from. */
export const baseModels = defineResource('Models to begin training from', {
  list: {
    method: 'GET',
    path: '/v1/preview/base-models',
    effect: 'read',
    summary: 'List base models',
    description: 'An addition of this server. By id.',
    query: z.object(pageQuery),
    output: pageOf(TrainableBaseModel).extend({
      refused: z.array(RefusedBaseModel).describe('Folders of base models that cannot be used, on every page alike'),
    }),
  },
})
