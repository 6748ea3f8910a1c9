import { tracing } from '@heddle/core-api'
import type { EvalResultsRow, EvalTrial } from '@heddle/core-api/types'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { ToolError } from '../../answer/tool-error.ts'
import { inPages, inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { EvaluationId, EvaluationIds } from './eval-ids.ts'
import { round } from './headline-scores.ts'
import { readRows } from './read-rows.ts'
import { isOfScorer, rowScores } from './score-values.ts'
import { verdictsOf } from './verdicts.ts'

const Input = z.object({
  ...inProject,
  baseline: EvaluationId,
  candidates: EvaluationIds.min(1).max(5).describe('1 to 5 runs to compare with it'),
  scorer: z.string().optional().describe('Only this scorer or score'),
  min_delta: z.number().min(0).optional().describe('Smallest change of a row to list'),
  order: z.enum(['worst', 'best', 'changed']).default('worst'),
  ...inPages(10, 50),
})

const Change = z.object({
  row_digest: z.string(),
  evaluation_call_id: z.string(),
  score: z.string(),
  baseline: z.number(),
  candidate: z.number(),
  delta: z.number(),
  inputs: z.unknown(),
  baseline_output: z.unknown(),
  candidate_output: z.unknown(),
  candidate_call_id: z.string().nullable(),
})

const Output = z.object({
  verdicts: z.array(
    z.object({
      evaluation_call_id: z.string(),
      score: z.string(),
      verdict: z.enum(['better', 'worse', 'no evidence']),
      delta: z.number(),
      interval: z.array(z.number()).nullable(),
      paired_rows: z.number(),
      baseline: z.number(),
      candidate: z.number(),
    }),
  ),
  rows: z.array(Change),
})

/** Decides for each score whether candidates are better or worse than the baseline, and shows the rows that changed most. */
export const evalCompare = defineTool({
  name: 'eval_compare',
  title: 'Compare evaluation runs',
  description:
    'Compares runs with a baseline on common rows: per score a verdict with a 95 % interval (higher is better), then rows that changed most. Example: {"baseline": "<id>", "candidates": ["<id>"]}',
  toolset: 'evals',
  operation: tracing.evalResults.query,
  input: Input,
  output: Output,
  run: compare,
})

interface Change {
  row: EvalResultsRow
  evaluation: string
  score: string
  baseline: number
  candidate: number
  delta: number
}

async function compare(input: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const { baseline, scorer, min_delta = 0, order, limit } = input
  const candidates = [...new Set(input.candidates)].filter((id) => id !== baseline)
  if (candidates.length === 0)
    throw new ToolError(
      'bad_request',
      'the baseline cannot be compared with itself',
      'Name at least one other evaluation run in `candidates`.',
    )
  const { rows, warnings } = await readRows(context, { evaluations: [baseline, ...candidates] })
  const changes = candidates.flatMap((evaluation) => changesOf(rows, { baseline, evaluation, scorer }))
  if (changes.length === 0) throw nothingShared(scorer, rows, baseline)
  const verdicts = verdictsOf(rows, { baseline, candidates, scorer })
  const listed = inOrder(
    changes.filter(({ delta }) => delta !== 0 && Math.abs(delta) >= min_delta),
    order,
  )
  const { offset } = context.page
  const page = listed.slice(offset, offset + limit)
  return {
    headline: headlineOf(verdicts, listed.length),
    data: { verdicts: context.recorded(verdicts), rows: context.recorded(await withEvidence(page, context, baseline)) },
    page: { key: 'rows', offset, total: listed.length, hasMore: offset + page.length < listed.length },
    warnings,
  }
}

function changesOf(
  rows: readonly EvalResultsRow[],
  { baseline, evaluation, scorer }: { baseline: string; evaluation: string; scorer: string | undefined },
): Change[] {
  return rows.flatMap((row) => {
    const before = rowScores(row, baseline)
    return [...rowScores(row, evaluation)].flatMap(([score, candidate]) => {
      const value = before.get(score)
      return value === undefined || !isOfScorer(score, scorer)
        ? []
        : [{ row, evaluation, score, baseline: value, candidate, delta: candidate - value }]
    })
  })
}

function nothingShared(scorer: string | undefined, rows: readonly EvalResultsRow[], baseline: string): ToolError {
  const names = [...new Set(rows.flatMap((row) => [...rowScores(row, baseline).keys()]))].slice(0, 20)
  const what =
    scorer === undefined
      ? 'no row has the same score in both evaluations'
      : `no score of ${JSON.stringify(scorer.slice(0, 80))} that both evaluations have`
  return new ToolError(
    'not_found',
    what,
    names.length > 0
      ? `The baseline has the scores ${names.join(', ')}.`
      : 'The baseline has no scores; eval_summary_get shows what a run has.',
  )
}

function inOrder(changes: readonly Change[], order: 'worst' | 'best' | 'changed'): Change[] {
  const key = {
    worst: ({ delta }: Change) => delta,
    best: ({ delta }: Change) => -delta,
    changed: ({ delta }: Change) => -Math.abs(delta),
  }[order]
  const wanted = order === 'changed' ? changes : changes.filter((change) => key(change) < 0)
  const id = ({ row, score, evaluation }: Change) => `${row.row_digest} ${score} ${evaluation}`
  return wanted.toSorted((one, other) => key(one) - key(other) || (id(one) < id(other) ? -1 : 1))
}

function headlineOf(verdicts: ReturnType<typeof verdictsOf>, changed: number): string {
  const said = (['worse', 'better', 'no evidence'] as const).flatMap((verdict) => {
    const scores = [...new Set(verdicts.filter((one) => one.verdict === verdict).map(({ score }) => score))]
    if (scores.length === 0) return []
    const named = scores.slice(0, 5).join(', ') + (scores.length > 5 ? ` and ${scores.length - 5} more` : '')
    return [verdict === 'no evidence' ? `No evidence of a change in ${named}` : `${verdict === 'worse' ? 'Worse' : 'Better'}: ${named}`]
  })
  return `${said.join('. ')}. ${changed} row scores changed this way.`
}

/** The rows of a page with inputs and outputs. */
async function withEvidence(page: readonly Change[], context: ToolContext, baseline: string) {
  if (page.length === 0) return []
  const digests = [...new Set(page.map(({ row }) => row.row_digest))]
  const evaluations = [baseline, ...new Set(page.map(({ evaluation }) => evaluation))]
  const { rows } = await readRows(context, { evaluations, digests, withInputs: true })
  return page.map(({ row, evaluation, score, baseline: before, candidate, delta }) => {
    const whole = rows.find(({ row_digest }) => row_digest === row.row_digest)
    const trial = trialOf(whole, evaluation)
    return {
      row_digest: row.row_digest,
      evaluation_call_id: evaluation,
      score,
      baseline: round(before),
      candidate: round(candidate),
      delta: round(delta),
      inputs: whole?.raw_data_row ?? null,
      baseline_output: trialOf(whole, baseline)?.model_output ?? null,
      candidate_output: trial?.model_output ?? null,
      candidate_call_id: trial?.predict_call_id ?? trial?.predict_and_score_call_id ?? null,
    }
  })
}

function trialOf(row: EvalResultsRow | undefined, evaluation: string): EvalTrial | undefined {
  return row?.evaluations.find((one) => one.evaluation_call_id === evaluation)?.trials[0]
}
