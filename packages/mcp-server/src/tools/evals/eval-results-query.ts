import { stringifyJson } from '@heddle/json/exact'
import { tracing } from '@heddle/core-api'
import type { EvalResultsRow } from '@heddle/core-api/types'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { cutText } from '../../answer/cut-texts.ts'
import { ToolError } from '../../answer/tool-error.ts'
import { Detail, inPages, inProject } from '../schema/common-arguments.ts'
import { valueAt } from '@heddle/core-api/internal'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { costSource, toCostSource } from '../traces/cost-source.ts'
import { headlineScores } from './headline-scores.ts'

const Input = z.object({
  ...inProject,
  ...tracing.evalResults.query.body.pick({
    evaluation_call_ids: true,
    require_intersection: true,
    filters: true,
    sort_by: true,
    include_rows: true,
    include_summary: true,
  }).shape,
  evaluation_run_ids: tracing.evalResults.query.body.shape.evaluation_run_ids.describe('More of them'),
  columns: z.array(z.string()).max(50).optional().describe('Only these, such as `inputs.question`, `scores.exact`'),
  detail: Detail,
  ...inPages(20, 100),
})

/** With the fields that `detail` selects, or with the wanted `columns` by their paths. */
const Trial = z
  .object({
    evaluation_call_id: z.string(),
    predict_and_score_call_id: z.string(),
    scores: z.record(z.string(), z.unknown()).optional(),
    outputs: z.unknown().optional(),
    latency_seconds: z.number().nullish(),
    tokens: z.number().nullish(),
    cost: z.number().nullish(),
    ...costSource,
    predict_call_id: z.string().nullish(),
    scorer_call_ids: z.record(z.string(), z.string()).optional(),
  })
  .loose()

const Output = z.object({
  summary: z.record(z.string(), z.record(z.string(), z.number())).nullable(),
  rows: z.array(
    z.object({
      row_digest: z.string(),
      inputs: z.unknown().optional(),
      trials: z.array(Trial),
    }),
  ),
})

/** Rows of evaluations, filtered and sorted as the caller wants. */
export const evalResultsQuery = defineTool({
  name: 'eval_results_query',
  title: 'Query rows of evaluations',
  description:
    'Rows of runs, filtered, sorted. Differences: eval_compare. Reasons: eval_failures_group. Example: {"evaluation_call_ids": ["<id>"], "filters": [{"query": {"$expr": {"$eq": [{"$getField": "scores.exact"}, {"$literal": false}]}}}]}',
  toolset: 'evals',
  operation: tracing.evalResults.query,
  input: Input,
  inputDepth: 3,
  output: Output,
  run: queryResults,
})

type ResultsInput = z.output<typeof Input>

async function queryResults(input: ResultsInput, context: ToolContext): Promise<Answer> {
  const {
    columns,
    detail,
    limit,
    cursor: _cursor,
    project: _project,
    max_tokens: _tokens,
    ...query
  } = input as ResultsInput & { max_tokens?: number }
  if (!query.evaluation_call_ids?.length && !query.evaluation_run_ids?.length) {
    throw new ToolError('bad_request', 'no evaluation was named', 'Pass evaluation_call_ids; evals_list gives them.')
  }
  const { entity, project } = context.project()
  const withInputs = columns ? columns.some((path) => path === 'inputs' || path.startsWith('inputs.')) : detail !== 'summary'
  const { offset } = context.page
  const answer = await context.exactTracing.evalResults.query(
    {
      entity,
      project,
      ...query,
      usage: 'counted',
      include_costs: columns === undefined && detail !== 'summary',
      limit,
      offset,
      include_raw_data_rows: withInputs,
      resolve_row_refs: withInputs,
    } as Parameters<typeof context.tracing.evalResults.query>[0],
    { signal: context.signal, timeoutMs: 120_000 },
  )
  const rows = answer.rows.map((row) => toRow(row, { columns, detail, withInputs }))
  return {
    headline: query.include_rows ? `${answer.total_rows} rows match.` : `Summary of ${answer.summary?.row_count ?? 0} rows.`,
    data: {
      summary:
        answer.summary &&
        context.recorded(Object.fromEntries(answer.summary.evaluations.map((one) => [one.evaluation_call_id, headlineScores(one)]))),
      rows: context.recorded(rows),
    },
    page: { key: 'rows', offset, total: answer.total_rows, hasMore: offset + rows.length < answer.total_rows },
    warnings: answer.warnings.map((warning) => cutText(String(context.recorded(warning)), 300)),
  }
}

interface RowDetail {
  columns: readonly string[] | undefined
  detail: 'summary' | 'standard' | 'full'
  withInputs: boolean
}

function toRow(row: EvalResultsRow, { columns, detail, withInputs }: RowDetail) {
  const trials = row.evaluations.flatMap(({ evaluation_call_id, trials }) =>
    trials.map((trial) => {
      const { predict_and_score_call_id, scores, model_output: outputs } = trial
      const ids = { evaluation_call_id, predict_and_score_call_id }
      if (columns) return { ...ids, ...columnsOf({ scores, outputs }, columns) }
      if (detail === 'summary') return { ...ids, scores, outputs: shortened(outputs) }
      const { predict_call_id, model_latency_seconds: latency_seconds, total_tokens: tokens } = trial
      return {
        ...ids,
        scores,
        outputs,
        latency_seconds,
        tokens,
        cost: trial.total_cost,
        ...toCostSource({ pricedAs: trial.priced_as ?? [], reportedUses: trial.reported_uses ?? 0 }),
        ...(detail === 'full' && { predict_call_id, scorer_call_ids: trial.scorer_call_ids }),
      }
    }),
  )
  const inputs = columns ? columnsOf({ inputs: row.raw_data_row }, columns) : row.raw_data_row
  return { row_digest: row.row_digest, ...(withInputs && { inputs }), trials }
}

const shortText = 120

function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : stringifyJson(value)
  return text.length > shortText ? cutText(text, shortText) : value
}

function columnsOf(record: Record<string, unknown>, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.flatMap((path) => {
      const value = valueAt(record, path)
      return value === undefined ? [] : [[path, value]]
    }),
  )
}
