import { tracing } from '@heddle/core-api'
import { valueAt } from '@heddle/core-api/internal'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { ToolError } from '../../answer/tool-error.ts'
import { inProject } from '../schema/common-arguments.ts'
import type { ToolContext } from '../tool-context.ts'
import { defineTool } from '../tool.ts'
import { costSource, toCostSource } from '../traces/cost-source.ts'
import { EvaluationIds } from './eval-ids.ts'
import { readRows } from './read-rows.ts'

const Trial = z.object({
  output: z.unknown(),
  scores: z.record(z.string(), z.unknown()),
  predict_and_score_call_id: z.string(),
  predict_call_id: z.string().nullable(),
  scorer_call_ids: z.record(z.string(), z.string()),
  latency_seconds: z.number().nullable(),
  tokens: z.number().nullable(),
  cost: z.number().nullable(),
  ...costSource,
})

const Input = z.object({
  ...inProject,
  evaluation_call_ids: EvaluationIds.min(1).max(5).describe('Ids of 1 to 5 runs'),
  row_digest: tracing.evalResults.query.output.shape.rows.element.shape.row_digest,
  fields: z.array(z.string()).max(50).optional().describe('Only these paths, such as `inputs.question`'),
})

const Output = z.object({
  row_digest: z.string(),
  inputs: z.unknown(),
  evaluations: z.array(z.object({ evaluation_call_id: z.string(), trials: z.array(Trial) })),
})

/** One row of a dataset with everything that evaluations made of it. */
export const evalRowGet = defineTool({
  name: 'eval_row_get',
  title: 'Read a row of evaluations',
  description: 'A dataset row in full, with the trials of each run. Example: {"evaluation_call_ids": ["<id>"], "row_digest": "<digest>"}',
  toolset: 'evals',
  operation: tracing.evalResults.query,
  input: Input,
  output: Output,
  run: readRow,
})

async function readRow({ evaluation_call_ids, row_digest, fields }: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const { rows } = await readRows(context, { evaluations: evaluation_call_ids, digests: [row_digest], withInputs: true, withCosts: true })
  const [row] = rows
  if (!row) {
    const message = `no row ${JSON.stringify(row_digest.slice(0, 80))} in these evaluations`
    throw new ToolError('not_found', message, 'eval_results_query, eval_compare and eval_failures_group give the digests of rows.')
  }
  const inputs = fields ? pickPaths(row.raw_data_row, pathsUnder('inputs', fields)) : row.raw_data_row
  const evaluations = row.evaluations.map(({ evaluation_call_id, trials }) => ({
    evaluation_call_id,
    trials: trials.map((trial) => ({
      output: fields ? pickPaths(trial.model_output, pathsUnder('outputs', fields)) : trial.model_output,
      scores: trial.scores,
      predict_and_score_call_id: trial.predict_and_score_call_id,
      predict_call_id: trial.predict_call_id,
      scorer_call_ids: trial.scorer_call_ids,
      latency_seconds: trial.model_latency_seconds,
      tokens: trial.total_tokens,
      cost: trial.total_cost,
      ...toCostSource({ pricedAs: trial.priced_as ?? [], reportedUses: trial.reported_uses ?? 0 }),
    })),
  }))
  const trials = evaluations.reduce((count, one) => count + one.trials.length, 0)
  const { id } = context.project()
  return {
    headline: `Row ${row_digest} with ${trials} trials in ${evaluations.length} evaluations.`,
    data: { row_digest, inputs: context.recorded(inputs), evaluations: context.recorded(evaluations) },
    links: evaluations.map(({ evaluation_call_id }) => ({
      uri: `eval://${id}/${evaluation_call_id}/rows/${row_digest}`,
      name: 'The whole row',
    })),
  }
}

/** Paths below `inputs` or `outputs`; the name alone selects all of it. */
function pathsUnder(root: string, fields: readonly string[]): string[] {
  return fields.flatMap((field) => (field === root ? [''] : field.startsWith(`${root}.`) ? [field.slice(root.length + 1)] : []))
}

/** The parts of a value at dotted paths, in an object with the same nesting; the path '' is the whole value. Paths without a value are ignored. */
function pickPaths(value: unknown, paths: readonly string[]): unknown {
  if (paths.includes('')) return value
  const picked: Record<string, unknown> = {}
  for (const path of paths) {
    const found = valueAt(value, path)
    if (found !== undefined) picked[path] = found
  }
  return picked
}
