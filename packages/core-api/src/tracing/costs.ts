import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf, recordOf } from '../shapes/bounded.ts'
import { Identifier } from '../shapes/identifier.ts'
import { LenientCount, LenientInt, LenientNumber } from '../shapes/lenient.ts'
import { Nothing } from '../shapes/nothing.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'
import { QueryExpression } from '../shapes/query-expression.ts'
import { SortBy } from '../shapes/sort.ts'
import { Timestamp, TimestampText } from '../shapes/timestamp.ts'

const price = (of: string) => LenientNumber.describe(`Price of one ${of} token (not of a thousand)`)
const unit = (of: string) => orDefault(z.string(), 'USD').describe(`Currency of the price of ${of} tokens; informative`)

/** Tiers of one price. */
export const maxTiers = 50

const wholeOf = (whole: string) => `Null: that of ${whole} tokens`
const detailPrice = (of: string, whole: string) => orNull(price(of)).describe(`Price of one ${of} token. ${wholeOf(whole)}`)

const detailPrices = {
  cache_read_input_audio_token_cost: detailPrice('audio prompt (from a cache)', 'cached prompt'),
  cache_read_input_image_token_cost: detailPrice('image prompt (from a cache)', 'cached prompt'),
  cache_creation_1h_input_token_cost: detailPrice('prompt (cached for an hour)', 'newly cached prompt'),
  input_audio_token_cost: detailPrice('audio prompt', 'prompt'),
  input_image_token_cost: detailPrice('image prompt', 'prompt'),
  output_audio_token_cost: detailPrice('audio completion', 'completion'),
  output_image_token_cost: detailPrice('image completion', 'completion'),
  reasoning_token_cost: detailPrice('reasoning', 'completion'),
}

const tierPrice = (of: string) => orNull(price(of)).describe(`Price of one ${of} token. Null: that of the price itself`)

/** Other prices for some requests. */
export const PriceTier = z
  .object({
    service_tier: orNull(z.string()).describe(
      'Service tier that calls name: `flex`, `priority`, `batch` or another word. Null: the plain service',
    ),
    above_input_tokens: orNull(LenientCount).describe('Only for requests whose prompt has more tokens than this. Null and 0: for all'),
    prompt_token_cost: tierPrice('prompt'),
    completion_token_cost: tierPrice('completion'),
    cache_read_input_token_cost: tierPrice('cached prompt'),
    cache_creation_input_token_cost: tierPrice('newly cached prompt'),
    cache_read_input_audio_token_cost: tierPrice('audio prompt (from a cache)'),
    cache_read_input_image_token_cost: tierPrice('image prompt (from a cache)'),
    cache_creation_1h_input_token_cost: tierPrice('prompt (cached for an hour)'),
    input_audio_token_cost: tierPrice('audio prompt'),
    input_image_token_cost: tierPrice('image prompt'),
    output_audio_token_cost: tierPrice('audio completion'),
    output_image_token_cost: tierPrice('image completion'),
    reasoning_token_cost: tierPrice('reasoning'),
  })
  .meta({ id: 'PriceTier' })
export type PriceTier = z.output<typeof PriceTier>

/** Token prices of a model, from a date on. */
export const CostInput = z
  .object({
    prompt_token_cost: price('prompt'),
    completion_token_cost: price('completion'),
    cache_read_input_token_cost: orDefault(price('cached prompt'), 0),
    cache_creation_input_token_cost: orDefault(price('newly cached prompt'), 0),
    prompt_token_cost_unit: unit('prompt'),
    completion_token_cost_unit: unit('completion'),
    effective_date: orNull(Timestamp).describe('Start of validity. Null: now'),
    provider_id: orNull(z.string()).describe('Informative: prices of a project match by model name only. Null and empty mean `default`'),
    ...detailPrices,
    tiers: orNull(listOf(PriceTier, maxTiers)).describe(
      'Other prices for some requests: of a service tier, or with a long prompt. Of several that hold, the one of the service tier of the request wins, then the one with the highest bound',
    ),
  })
  .meta({ id: 'CostInput' })
export type CostInput = z.output<typeof CostInput>

const stated = (of: string, whole: string) => z.number().optional().describe(`Price of one ${of} token. Absent: that of ${whole} tokens`)
const own = z.number().optional()

const StatedTier = z
  .object({
    service_tier: z.string().nullable().describe('Null: the plain service'),
    above_input_tokens: z.number().describe('Only for requests whose prompt has more tokens than this'),
    prompt_token_cost: own,
    completion_token_cost: own,
    cache_read_input_token_cost: own,
    cache_creation_input_token_cost: own,
    cache_read_input_audio_token_cost: own,
    cache_read_input_image_token_cost: own,
    cache_creation_1h_input_token_cost: own,
    input_audio_token_cost: own,
    input_image_token_cost: own,
    output_audio_token_cost: own,
    output_image_token_cost: own,
    reasoning_token_cost: own,
  })
  .meta({ id: 'StatedPriceTier' })

const chosen = <S extends z.ZodType>(shape: S) => shape.nullable().describe('Null when not selected')

/** A price as it is read. */
export const Cost = z
  .object({
    id: chosen(z.string()),
    llm_id: chosen(z.string()),
    prompt_token_cost: chosen(z.number()),
    completion_token_cost: chosen(z.number()),
    prompt_token_cost_unit: chosen(z.string()),
    completion_token_cost_unit: chosen(z.string()),
    cache_read_input_token_cost: chosen(z.number()),
    cache_creation_input_token_cost: chosen(z.number()),
    effective_date: chosen(TimestampText),
    provider_id: chosen(z.string()),
    cache_read_input_audio_token_cost: stated('audio prompt (from a cache)', 'cached prompt'),
    cache_read_input_image_token_cost: stated('image prompt (from a cache)', 'cached prompt'),
    cache_creation_1h_input_token_cost: stated('prompt (cached for an hour)', 'newly cached prompt'),
    input_audio_token_cost: stated('audio prompt', 'prompt'),
    input_image_token_cost: stated('image prompt', 'prompt'),
    output_audio_token_cost: stated('audio completion', 'completion'),
    output_image_token_cost: stated('image completion', 'completion'),
    reasoning_token_cost: stated('reasoning', 'completion'),
    tiers: z
      .array(StatedTier)
      .optional()
      .describe('Other prices for some requests. What a tier leaves out costs what the price itself says. Absent: none'),
  })
  .meta({ id: 'Cost' })
export type Cost = z.output<typeof Cost>

/** Token prices, applied to the usage of calls when calls are read. */
export const costs = defineResource('Token prices of models', {
  create: {
    method: 'POST',
    path: '/cost/create',
    effect: 'write',
    audit: true,
    repeat: 'adds',
    summary: 'Add prices of models',
    description:
      'Prices are immutable: a newer price applies from its effective date. A project can have at most 10,000 prices, and a price 50 tiers.',
    body: z.object({
      project_id: ProjectId,
      costs: recordOf(CostInput, 10_000).describe(
        'Prices by model name. That of exactly the name in the usage of a call wins, else that of the name without prefixes of gateways, regions, versions and dates',
      ),
      wb_user_id: orNull(z.string()).describe('Ignored: the server sets the user from the credential'),
    }),
    output: z.object({
      ids: z.array(z.tuple([z.string(), z.string()])).describe('One `[cost id, model name]` per model, in the order of the request'),
    }),
  },
  query: {
    method: 'POST',
    path: '/cost/query',
    effect: 'read',
    summary: 'Find prices of a project',
    description: 'Does not return the built-in prices. Prices of single kinds of tokens and tiers are shown where all columns are.',
    body: z.object({
      project_id: ProjectId,
      fields: orNull(listOf(Identifier, 100)).describe('Columns to fill. Null or empty: all'),
      query: orNull(QueryExpression).describe('Which prices'),
      sort_by: orNull(listOf(SortBy, 32)).describe('Order. Null: by creation'),
      limit: orNull(LenientInt).describe('Maximum number of results. Null: all'),
      offset: orNull(LenientInt).describe('Prices to skip first'),
    }),
    output: z.object({ results: z.array(Cost).describe('The prices, in the requested order') }),
  },
  purge: {
    method: 'POST',
    path: '/cost/purge',
    effect: 'destroy',
    summary: 'Remove prices of a project',
    body: z.object({
      project_id: ProjectId,
      query: QueryExpression.describe('Only ids: `$eq` or `$in` on `id`, or an `$or` of such `$eq`. Unknown ids are ignored'),
    }),
    output: Nothing,
  },
})
