import { tracing } from '@heddle/core-api'
import { runCallColumns } from '@heddle/evaluations'
import { evaluateOpNames } from '@heddle/trace-model'
import { compare, contains } from '@heddle/trace-model/query'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { inPages, inProject, inRange } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { type ListedRun, toListedRun } from './evaluation-calls.ts'
import { headlineScores } from './headline-scores.ts'

const Input = z.object({
  ...inProject,
  name_contains: z.string().optional().describe('Part of the name'),
  since: inRange.since,
  ...inPages(20, 100),
})

const { started_at, status } = tracing.evaluationRuns.read.output.shape

const Output = z.object({
  evaluations: z.array(
    z.object({
      evaluation_call_id: tracing.evaluationRuns.read.output.shape.evaluation_run_id,
      name: z.string(),
      model_ref: z.string().nullable(),
      started_at,
      status,
      scores: z.record(z.string(), z.number()),
    }),
  ),
})

/** The newest evaluation runs, with their scores. */
export const evalsList = defineTool({
  name: 'evals_list',
  title: 'List evaluation runs',
  description: 'Evaluation runs, newest first, with mean or pass rate of each score. Begin here for ids. Example: {"limit": 5}',
  toolset: 'evals',
  operation: tracing.calls.streamQuery,
  input: Input,
  output: Output,
  run: listEvaluations,
})

async function listEvaluations(input: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const { id, entity, project } = context.project()
  const { offset, anchor } = context.page
  const conditions = [
    ...(anchor === undefined ? [] : [compare('$lte', 'started_at', anchor)]),
    ...(input.since === undefined ? [] : [compare('$gte', 'started_at', input.since / 1e6)]),
    ...(input.name_contains === undefined ? [] : [nameContains(input.name_contains)]),
  ]
  const query = conditions.length > 0 ? { query: { $expr: { $and: conditions } } } : {}
  const chosen = { project_id: id, filter: { op_names: evaluateOpNames(id) }, ...query }
  const options = { signal: context.signal }
  const [{ count }, runs] = await Promise.all([
    context.tracing.calls.queryStats(chosen, options),
    collect(
      context.tracing.calls.streamQuery(
        { ...chosen, columns: runCallColumns, sort_by: [{ field: 'started_at', direction: 'desc' }], limit: input.limit, offset },
        options,
      ),
    ),
  ])
  const scores = new Map<string, Record<string, number>>()
  if (runs.length > 0) {
    const evaluation_call_ids = runs.map((run) => run.evaluation_call_id)
    const { summary } = await context.tracing.evalResults.query(
      { entity, project, evaluation_call_ids, include_rows: false, include_summary: true },
      options,
    )
    for (const one of summary?.evaluations ?? []) scores.set(one.evaluation_call_id, headlineScores(one))
  }
  const evaluations = runs.map((run) => ({ ...run, scores: scores.get(run.evaluation_call_id) ?? {} }))
  return {
    headline: count === 0 ? `Project ${id} has no such evaluation runs.` : `${count} evaluation runs in ${id}, newest first.`,
    data: { evaluations: context.recorded(evaluations) },
    page: { key: 'evaluations', offset, total: count, hasMore: offset + runs.length < count, ...anchorOf(anchor ?? runs[0]?.started_at) },
  }
}

/** Runs that start later do not move the pages. */
function anchorOf(anchor: string | undefined): { anchor?: string } {
  return anchor === undefined ? {} : { anchor }
}

async function collect(calls: AsyncIterable<Parameters<typeof toListedRun>[0]>): Promise<ListedRun[]> {
  const runs: ListedRun[] = []
  for await (const call of calls) runs.push(toListedRun(call))
  return runs
}

/** In the name of the run, or in that of its evaluation. */
function nameContains(text: string): object {
  return { $or: [contains('display_name', text), contains('inputs.self', text)] }
}
