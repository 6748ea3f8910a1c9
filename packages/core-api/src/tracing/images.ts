import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { JsonObjectShape } from '../shapes/json.ts'
import { LenientBoolean, LenientInt } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'

/** Images made by a model of a configured provider. */
export const images = defineResource({
  create: {
    method: 'POST',
    path: '/image/create',
    effect: 'write',
    repeat: 'adds',
    summary: 'Let a model make images',
    description: 'What goes wrong with the model or its provider is told inside the answer, as `response.error`.',
    body: z.object({
      project_id: ProjectId,
      inputs: z
        .object({
          model: z.string().describe('Name of the model; `provider/model` picks a provider'),
          prompt: z.string().describe('What the images are to show'),
          n: orNull(LenientInt).describe('How many images. Null means one'),
        })
        .describe('What the model is given. Other keys are ignored'),
      track_llm_call: orDefault(LenientBoolean, true).describe('Record a call with the inputs and the answer'),
    }),
    output: z.object({
      response: JsonObjectShape.describe('Answer of the provider with `model`, or `error`'),
      weave_call_id: z.string().nullable().describe('The recorded call. Null when there is none'),
    }),
  },
})
