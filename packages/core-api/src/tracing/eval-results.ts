import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf } from '../shapes/bounded.ts'
import { Identifier } from '../shapes/identifier.ts'
import { AnyJson } from '../shapes/json.ts'
import { LenientBoolean, LenientInt } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ProjectPath } from '../shapes/project.ts'
import { QueryExpression } from '../shapes/query-expression.ts'

const fields =
  '`scores.<name>`, `inputs`, `outputs` (of the model), `output` (of the predict-and-score call), each with a dotted path, or `row_digest`'
const scope = 'Only trials of this evaluation count'
const ids = (what: string) => orNull(listOf(Identifier, 1000)).describe(what)

/** One key of an order of rows. Unknown keys are refused. */
export const EvalResultsSort = z
  .strictObject({
    field: Identifier.describe(`Field to sort by: ${fields}`),
    direction: orDefault(z.enum(['asc', 'desc']), 'asc').describe('Rows without a value come last in both'),
    evaluation_call_id: orNull(Identifier).describe(scope),
    mode: orDefault(z.enum(['value', 'difference']), 'value').describe(
      '`value`: the mean of a score over the trials, or the first value of another field. `difference`: the highest mean of a score among the evaluations minus the lowest',
    ),
  })
  .meta({ id: 'EvalResultsSort' })
export type EvalResultsSort = z.output<typeof EvalResultsSort>

/** A condition on rows. Unknown keys are refused. */
export const EvalResultsFilter = z
  .strictObject({
    evaluation_call_id: orNull(Identifier).describe(scope),
    query: QueryExpression.describe(`Condition on the first value of each field in the trials of a row. Fields: ${fields}`),
  })
  .meta({ id: 'EvalResultsFilter' })
export type EvalResultsFilter = z.output<typeof EvalResultsFilter>

/** The rows of evaluations to return, their order and fields. */
export const EvalResultsQuery = z.object({
  evaluation_call_ids: ids('Root calls of the evaluations. This list or `evaluation_run_ids` must name at least one'),
  evaluation_run_ids: ids('More of them: the id of an evaluation run is that of its root call'),
  require_intersection: orDefault(LenientBoolean, false).describe('Keep only rows that every requested evaluation has'),
  include_raw_data_rows: orDefault(LenientBoolean, false).describe('Fill `raw_data_row`'),
  resolve_row_refs: orDefault(LenientBoolean, false).describe('Replace references in `raw_data_row` by the rows of the dataset'),
  include_rows: orDefault(LenientBoolean, true).describe('Return rows. False: `rows` is empty and `total_rows` 0'),
  include_summary: orDefault(LenientBoolean, false).describe('Return the summary of all rows that match'),
  summary_require_intersection: orNull(LenientBoolean).describe('`require_intersection` of the summary. Null: the same'),
  include_predict_and_score_children: orDefault(LenientBoolean, true).describe(
    'Read the calls below each predict-and-score call. False: no ids of predict and score calls, and tokens with those of the scorers',
  ),
  include_costs: orDefault(LenientBoolean, false).describe('Fill `total_cost` and `predict_total_cost`'),
  usage: orDefault(z.enum(['reported', 'counted']), 'reported').describe(
    'Which tokens: `reported`: those in the summary of the predict call. `counted`: those that count at and below it, as in totals of traces, whichever client sent the calls',
  ),
  sort_by: orNull(listOf(EvalResultsSort, 32)).describe('Order of rows; later keys break ties. Null or empty: by `row_digest`'),
  filters: orNull(listOf(EvalResultsFilter, 100)).describe('Conditions on rows'),
  filter_logic_operator: orNull(z.enum(['and', 'or'])).describe(
    'Null and `and`: all filters must hold. `or`: all filters of one `evaluation_call_id` must hold',
  ),
  limit: orNull(LenientInt).describe('Maximum number of rows. Null: all'),
  offset: orDefault(LenientInt, 0).describe('Rows to skip first. A negative number counts as 0'),
})
export type EvalResultsQuery = z.output<typeof EvalResultsQuery>

const tokens = z.number().nullable()
const cost = z.number().nullable()
const shareOf = z.number().nullable()

/** Where a cost is from. */
const costSource = {
  priced_as: z.array(z.string()).optional().describe('Names of the prices of models that have none under their own name. Absent: all have'),
  reported_uses: z.number().optional().describe('Uses of models without a price whose cost is the one that they report. Absent: none'),
}

/** One prediction of a row with its scores. */
export const EvalTrial = z
  .object({
    predict_and_score_call_id: z.string(),
    predict_call_id: z.string().nullable().describe('Null without such a call'),
    model_output: AnyJson.describe('What the model returned. Null while it runs and when it failed'),
    scores: z.record(z.string(), AnyJson).describe('Output of each scorer by its name'),
    model_latency_seconds: z.number().nullable().describe('Seconds that the model took. Null where unknown'),
    total_tokens: tokens.describe('Tokens of the predict call over all models. Null without any'),
    total_cost: cost.describe('Price of the tokens of the predict call. Null unless requested, and where no model has a price'),
    ...costSource,
    scorer_call_ids: z.record(z.string(), z.string()).describe('Id of the score call of each scorer that has one'),
    genai_span_ref: z
      .array(z.object({ trace_id: z.string(), span_id: z.string() }))
      .nullable()
      .describe('Spans that the calls name. Null without any'),
  })
  .meta({ id: 'EvalTrial' })
export type EvalTrial = z.output<typeof EvalTrial>

/** A row of the dataset with its trials in each evaluation. */
export const EvalResultsRow = z
  .object({
    row_digest: z.string().describe('Equal for equal rows, in whatever evaluation'),
    raw_data_row: AnyJson.describe('The row, or the reference to it. Null unless requested'),
    evaluations: z
      .array(
        z
          .object({ evaluation_call_id: z.string(), trials: z.array(EvalTrial).describe('In the order of their start') })
          .meta({ id: 'EvalRowTrials' }),
      )
      .describe('The evaluations that have the row, in the order of the request'),
  })
  .meta({ id: 'EvalResultsRow' })
export type EvalResultsRow = z.output<typeof EvalResultsRow>

/** Statistics of one value in the output of a scorer. */
export const EvalScorerStats = z
  .object({
    scorer_key: z.string().describe('Name of the scorer'),
    path: z.string().nullable().describe('Dotted path inside the score. Null when the score is the value itself'),
    value_type: z.enum(['binary', 'continuous', 'text']).describe('Type of the first value'),
    trial_count: z.number().describe('Trials that have a value'),
    numeric_count: z.number().describe('Trials with a number'),
    numeric_mean: z.number().nullable().describe('Mean of the numbers. Null without any'),
    pass_true_count: z.number().describe('Trials with true'),
    pass_known_count: z.number().describe('Trials with true or false'),
    pass_rate: shareOf.describe('Share of true among true and false. Null without any'),
    pass_signal_coverage: shareOf.describe('Share of trials with true or false. Null without any trial'),
  })
  .meta({ id: 'EvalScorerStats' })
export type EvalScorerStats = z.output<typeof EvalScorerStats>

/** An evaluation over the rows of a summary. */
export const EvalSummary = z
  .object({
    evaluation_call_id: z.string(),
    trial_count: z.number(),
    scorer_stats: z.array(EvalScorerStats).describe('In the order in which the values first occur'),
    predict_total_tokens: tokens.describe('Sum of the tokens of the trials. Null when no trial has any'),
    predict_total_cost: cost.describe('Sum of the costs of the trials. Null when no trial has one'),
    ...costSource,
    evaluation_ref: z.string().nullable().describe('Reference to the evaluation. Null where the root call is unknown or names none'),
    model_ref: z.string().nullable().describe('Reference to the model. Null where the root call is unknown or names none'),
    display_name: z.string().nullable(),
    trace_id: z.string().nullable(),
    started_at: z.string().nullable().describe('Start of the root call, ISO 8601 with `+00:00`'),
  })
  .meta({ id: 'EvalSummary' })
export type EvalSummary = z.output<typeof EvalSummary>

/** Results of evaluations. */
export const EvalResults = z
  .object({
    rows: z.array(EvalResultsRow),
    total_rows: z.number().describe('Number of rows that match, before limit and offset'),
    summary: z
      .object({ row_count: z.number(), evaluations: z.array(EvalSummary).describe('Those that have a row') })
      .meta({ id: 'EvalResultsSummary' })
      .nullable()
      .describe('Over all rows that match. Null unless requested'),
    warnings: z.array(z.string()).describe('What could not be found and is missing from the answer'),
  })
  .meta({ id: 'EvalResults' })
export type EvalResults = z.output<typeof EvalResults>

/** Results of evaluations, row by row. */
export const evalResults = defineResource('Rows of evaluations with their trials and scores, compared between runs', {
  query: {
    method: 'POST',
    path: '/v2/{entity}/{project}/eval_results/query',
    effect: 'read',
    summary: 'Compare the results of evaluations',
    description:
      'Groups the predict-and-score calls of evaluations by the row of the dataset, with filters, order, pages and a summary. Unknown evaluations have no rows. The rows of a response have at most 250,000 predict-and-score calls: use `limit` and `offset` beyond that.',
    params: ProjectPath,
    body: EvalResultsQuery,
    output: EvalResults,
  },
})
