import { tracing } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { costSource, toCostSource } from '../traces/cost-source.ts'
import { EvaluationIds } from './eval-ids.ts'
import { headlineScores, round, scoreName } from './headline-scores.ts'
import { noEvaluation } from './read-rows.ts'

const Input = z.object({ ...inProject, evaluation_call_ids: EvaluationIds.min(1).max(10).describe('Ids of 1 to 10 runs') })

const Output = z.object({
  evaluations: z.array(
    z.object({
      evaluation_call_id: z.string(),
      name: z.string().nullable(),
      model_ref: z.string().nullable(),
      started_at: z.string().nullable(),
      trials: z.number(),
      tokens: z.number().nullable(),
      cost: z.number().nullable(),
      ...costSource,
      scores: z.array(
        z.object({
          score: z.string(),
          mean: z.number().nullable(),
          pass_rate: z.number().nullable(),
          coverage: z.number(),
          trials: z.number(),
        }),
      ),
    }),
  ),
})

/** The service's totals over all rows of evaluations. */
export const evalSummaryGet = defineTool({
  name: 'eval_summary_get',
  title: 'Summarize evaluation runs',
  description: 'Each score of up to 10 runs, with tokens and cost; never rows. Example: {"evaluation_call_ids": ["<id>"]}',
  toolset: 'evals',
  operation: tracing.evalResults.query,
  input: Input,
  output: Output,
  run: summarize,
})

async function summarize({ evaluation_call_ids }: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const { entity, project } = context.project()
  const query = {
    entity,
    project,
    evaluation_call_ids,
    include_rows: false,
    include_summary: true,
    include_costs: true,
    usage: 'counted' as const,
  }
  const { summary } = await context.tracing.evalResults.query(query, { signal: context.signal, timeoutMs: 120_000 })
  const found = summary?.evaluations ?? []
  const missing = evaluation_call_ids.filter((id) => !found.some((one) => one.evaluation_call_id === id))
  if (found.length === 0) throw noEvaluation(missing, context)
  const evaluations = found.map((one) => ({
    evaluation_call_id: one.evaluation_call_id,
    name: one.display_name,
    model_ref: one.model_ref,
    started_at: one.started_at,
    trials: one.trial_count,
    tokens: one.predict_total_tokens,
    cost: one.predict_total_cost,
    ...toCostSource({ pricedAs: one.priced_as ?? [], reportedUses: one.reported_uses ?? 0 }),
    scores: one.scorer_stats.map((stats) => ({
      score: scoreName(stats),
      mean: stats.numeric_mean === null ? null : round(stats.numeric_mean),
      pass_rate: stats.pass_rate === null ? null : round(stats.pass_rate),
      coverage: one.trial_count === 0 ? 0 : round(stats.trial_count / one.trial_count),
      trials: stats.trial_count,
    })),
  }))
  const [first] = found
  const scores =
    first && found.length === 1
      ? Object.entries(headlineScores(first))
          .slice(0, 5)
          .map(([name, value]) => `${name} ${value}`)
      : []
  return {
    headline: `${found.length === 1 ? `Evaluation over ${summary?.row_count} rows` : `${found.length} evaluations`}${scores.length > 0 ? `: ${scores.join(', ')}` : ''}.`,
    data: { evaluations: context.recorded(evaluations) },
    warnings: missing.length > 0 ? [`no results of ${missing.map((id) => JSON.stringify(id.slice(0, 80))).join(', ')}`] : [],
  }
}
