import { z } from 'zod'
import { listOf } from '../../shapes/bounded.ts'
import { CallsFilter } from '../../shapes/calls-filter.ts'
import { Identifier } from '../../shapes/identifier.ts'
import { LenientBoolean, LenientInt } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { QueryExpression } from '../../shapes/query-expression.ts'

const includeCosts = orDefault(LenientBoolean, false).describe('Fill the `…_total_cost` fields')

/** Usage of the calls that a filter selects. */
export const TraceUsage = z.object({
  project_id: ProjectId,
  filter: orNull(CallsFilter).describe('Which calls'),
  query: orNull(QueryExpression).describe('Additional condition; both must match'),
  include_costs: includeCosts,
  limit: orDefault(LenientInt, 10_000).describe('Maximum number of calls'),
})
export type TraceUsage = z.output<typeof TraceUsage>

/** Usage of single calls with their descendants. */
export const CallsUsage = z.object({
  project_id: ProjectId,
  call_ids: listOf(Identifier, 10_000).describe('Ids of the calls'),
  include_costs: includeCosts,
  limit: orDefault(LenientInt, 10_000).describe('Maximum number of calls in a trace, at least 1'),
})
export type CallsUsage = z.output<typeof CallsUsage>

const count = z.number().describe('Own usage plus that of the descendants')
const cost = z.number().nullable().describe('Price of those tokens. Null unless requested')

/** Token counts and costs under one model. */
export const Usage = z
  .object({
    requests: count,
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
    prompt_tokens_total_cost: cost,
    completion_tokens_total_cost: cost,
    cache_read_input_tokens_total_cost: cost,
    cache_creation_input_tokens_total_cost: cost,
  })
  .meta({ id: 'Usage' })
export type Usage = z.output<typeof Usage>

/** Usage by call id and model. */
export const UsageAnswer = z.object({
  call_usage: z.record(z.string(), z.record(z.string(), Usage)).describe('Usage by model name, by call id; `{}` without usage'),
  unfinished_call_ids: listOf(z.string(), 10_000).describe('Calls without an end among the loaded ones, sorted'),
})
export type UsageAnswer = z.output<typeof UsageAnswer>
