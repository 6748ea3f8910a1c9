import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { Identifier } from '../shapes/identifier.ts'

const Price = z
  .string()
  .regex(/^\d{1,20}(\.\d{1,40})?$/, 'Input should be a decimal number as text, without an exponent')
  .describe('US dollars as decimal text, for example `0.00000035`')

/** A served model, as in the listings. */
export const InferenceModel = z.object({
  id: z.string().describe('Name of the model, with its publisher in front where it has one: `publisher/name`'),
  name: z.string().describe('Display name'),
  created: z.number().int().describe('Publication time, in seconds since 1970'),
  input_modalities: z.array(z.string()),
  output_modalities: z.array(z.string()),
  quantization: z.enum(['int4', 'int8', 'fp4', 'fp6', 'fp8', 'fp16', 'bf16', 'fp32']),
  context_length: z.number().int().describe('Maximum tokens of input and output together'),
  max_output_length: z.number().int().describe('Maximum tokens of the output'),
  pricing: z
    .object({
      prompt: Price.describe('US dollars per input token, as a decimal string'),
      completion: Price.describe('US dollars per output token, as a decimal string'),
      image: Price.describe('US dollars per image, as a decimal string'),
      request: Price.describe('US dollars per request, as a decimal string'),
      input_cache_read: Price.describe('US dollars per cached input token, as a decimal string'),
    })
    .describe('Prices per unit'),
  supported_sampling_parameters: z.array(
    z.enum(['temperature', 'top_p', 'top_k', 'repetition_penalty', 'frequency_penalty', 'presence_penalty', 'stop', 'seed']),
  ),
  supported_features: z.array(z.enum(['tools', 'json_mode', 'structured_outputs', 'web_search', 'reasoning'])),
  datacenters: z.array(z.object({ country_code: z.string() })),
  deprecation_date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'Input should be a date as YYYY-MM-DD')
    .optional()
    .describe('Date on which the model is deprecated. Absent when there is none'),
})
export type InferenceModel = z.output<typeof InferenceModel>

/** A way to run a model. */
export const HardwareOption = z.object({
  id: z.string(),
  name: z.string(),
  type: z.literal('serverless'),
  pricing: z.object({ cents_per_million_input_tokens: z.number(), cents_per_million_output_tokens: z.number() }),
  specs: z.record(z.string(), z.string().nullable()),
})
export type HardwareOption = z.output<typeof HardwareOption>

const models = z.object({ data: z.array(InferenceModel) })

/** Models that are served, from a catalogue of the operator. The vendor in a path is informative: any one works. */
export const inference = defineResource('Models that are served, and the hardware for them', {
  analysisModels: {
    method: 'GET',
    path: '/inference/analysis/{analysis_vendor}/models',
    effect: 'read',
    open: true,
    summary: 'List the models of the catalogue for model comparison sites',
    params: z.object({ analysis_vendor: Identifier.describe('Any name') }),
    output: models,
  },
  routerModels: {
    method: 'GET',
    path: '/inference/router/{router_vendor}/models',
    effect: 'read',
    open: true,
    summary: 'List the models of the catalogue for model routers',
    params: z.object({ router_vendor: Identifier.describe('Any name') }),
    output: models,
  },
  hardware: {
    method: 'GET',
    path: '/inference/{hardware_vendor}/v2/hardware',
    effect: 'read',
    open: true,
    summary: 'List the hardware options for a model of the catalogue',
    params: z.object({ hardware_vendor: Identifier.describe('Any name') }),
    query: z.object({ model: Identifier.describe('Name of the model without its publisher, in any case of letters') }),
    output: z.object({ hardware: z.array(HardwareOption).describe('Empty for a model that is not in the catalogue') }),
  },
})
