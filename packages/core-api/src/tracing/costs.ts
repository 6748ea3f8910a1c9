import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf, recordOf } from '../shapes/bounded.ts'
import { LenientInt, LenientNumber } from '../shapes/lenient.ts'
import { Nothing } from '../shapes/nothing.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'
import { QueryExpression } from '../shapes/query-expression.ts'
import { SortBy } from '../shapes/sort.ts'
import { Timestamp, TimestampText } from '../shapes/timestamp.ts'

const price = (of: string) => LenientNumber.describe(`Price of one ${of} token (not of a thousand)`)
const unit = (of: string) => orDefault(z.string(), 'USD').describe(`Currency of the price of ${of} tokens; informative`)

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
    provider_id: orNull(z.string()).describe('Informative: prices match by model name only. Null and empty mean `default`'),
  })
  .meta({ id: 'CostInput' })
export type CostInput = z.output<typeof CostInput>

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
  })
  .meta({ id: 'Cost' })
export type Cost = z.output<typeof Cost>

/** Token prices, applied to the usage of calls when calls are read. */
export const costs = defineResource({
  create: {
    method: 'POST',
    path: '/cost/create',
    effect: 'write',
    repeat: 'adds',
    summary: 'Add prices of models',
    description: 'Prices are immutable: a newer price applies from its effective date. A project can have at most 10,000 prices.',
    body: z.object({
      project_id: ProjectId,
      costs: recordOf(CostInput, 10_000).describe('Prices by model name, exactly as in the usage of calls'),
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
    description: 'Does not return the built-in prices.',
    body: z.object({
      project_id: ProjectId,
      fields: orNull(listOf(z.string(), 100)).describe('Columns to fill. Null or empty: all'),
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
