import { isJsonNumber } from '@heddle/json/exact'
import { tracing } from '@heddle/core-api'
import type { EvalResultsRow, EvalTrial } from '@heddle/core-api/types'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { cutText } from '../../answer/cut-texts.ts'
import { inProject } from '../schema/common-arguments.ts'
import { groupBy } from '../group-by.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { EvaluationId } from './eval-ids.ts'
import { readRows } from './read-rows.ts'
import { isOfScorer, scoreValues } from './score-values.ts'

const Input = z.object({
  ...inProject,
  evaluation_call_id: EvaluationId,
  scorer: z.string().optional().describe('Only failures of this scorer or score'),
  max_groups: z.int().min(1).max(50).default(10),
})

const Output = z.object({
  rows: z.number(),
  failing_rows: z.number(),
  groups: z.array(
    z.object({
      by: z.enum(['error', 'score', 'input']),
      value: z.string(),
      failing_rows: z.number(),
      of_rows: z.number(),
      examples: z.array(z.object({ row_digest: z.string(), inputs: z.unknown(), output: z.unknown(), call_id: z.string() })),
    }),
  ),
})

/** Why rows of an evaluation fail. */
export const evalFailuresGroup = defineTool({
  name: 'eval_failures_group',
  title: 'Group failing rows',
  description:
    'Groups failing rows of a run (a score is false or 0, or the model raised) by error, score, and input values that fail more. Example: {"evaluation_call_id": "<id>"}',
  toolset: 'evals',
  operation: tracing.evalResults.query,
  input: Input,
  output: Output,
  run: groupFailures,
})

interface Failure {
  row: EvalResultsRow
  trial: EvalTrial
  /** Names of failing scores. */
  scores: string[]
  error: string | undefined
}

interface Group {
  by: 'error' | 'score' | 'input'
  value: string
  failures: Failure[]
  ofRows: number
}

const maxErrors = 1_000
/** Values of an input that are compared with each other. */
const maxValues = 50

async function groupFailures({ evaluation_call_id, scorer, max_groups }: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const { rows, warnings } = await readRows(context, { evaluations: [evaluation_call_id], withInputs: true })
  const failed = rows.flatMap((row) => {
    const failure = failureOf(row, scorer)
    return failure ? [failure] : []
  })
  const errors = await readErrors(failed, context)
  const failures = failed.map((failure) => ({
    ...failure,
    error: errors.get(failure.trial.predict_call_id ?? '') ?? errors.get(failure.trial.predict_and_score_call_id),
  }))
  const groups = [...byError(failures), ...byScore(failures, rows.length), ...byInput(failures, rows)].toSorted(inOrder)
  const [largest] = groups
  return {
    headline: `${failures.length} of ${rows.length} rows fail${largest ? `; most with ${largest.by} ${cutText(String(context.recorded(largest.value)), 80)} (${largest.failures.length})` : ''}.`,
    data: { rows: rows.length, failing_rows: failures.length, groups: context.recorded(groups.slice(0, max_groups).map(toGroup)) },
    warnings: groups.length > max_groups ? [...warnings, `${groups.length - max_groups} smaller groups are not listed`] : warnings,
  }
}

function inOrder(one: Group, other: Group): number {
  const rank = { error: 0, score: 1, input: 2 }
  return rank[one.by] - rank[other.by] || other.failures.length - one.failures.length || (one.value < other.value ? -1 : 1)
}

function toGroup({ by, value, failures, ofRows }: Group) {
  const examples = failures.slice(0, 2).map(({ row, trial }) => ({
    row_digest: row.row_digest,
    inputs: row.raw_data_row,
    output: trial.model_output,
    call_id: trial.predict_call_id ?? trial.predict_and_score_call_id,
  }))
  return { by, value: cutText(value, 200), failing_rows: failures.length, of_rows: ofRows, examples }
}

/** The first failing trial of a row; one without scores counts as failing where the model gave no output. */
function failureOf(row: EvalResultsRow, scorer: string | undefined): Failure | undefined {
  for (const trial of row.evaluations.flatMap((one) => one.trials)) {
    const values = [...scoreValues(trial.scores)].filter(([name]) => isOfScorer(name, scorer))
    const scores = values.flatMap(([name, value]) => (value === 0 ? [name] : []))
    const hasRaised = values.length === 0 && trial.model_output === null && Object.keys(trial.scores).length === 0
    if (scores.length > 0 || hasRaised) return { row, trial, scores, error: undefined }
  }
  return undefined
}

/** Exceptions of the calls of failing trials, by call. */
async function readErrors(failures: readonly Failure[], context: ToolContext): Promise<Map<string, string>> {
  const ids = failures.flatMap(({ trial }) => [trial.predict_call_id ?? trial.predict_and_score_call_id]).slice(0, maxErrors)
  const errors = new Map<string, string>()
  if (ids.length === 0) return errors
  const query = { project_id: context.project().id, filter: { call_ids: ids }, columns: ['id', 'exception'] }
  for await (const { id, exception } of context.tracing.calls.streamQuery(query, { signal: context.signal }))
    if (exception) errors.set(id, errorKind(exception))
  return errors
}

/** The line of a traceback with the error, without the parts that differ between occurrences. */
function errorKind(exception: string): string {
  const lines = exception.trim().split('\n')
  const line = lines.toReversed().find((one) => /^[\w.]*(?:Error|Exception|Timeout|Warning|Interrupt)\b/.test(one)) ?? lines[0] ?? ''
  return line.replace(/0x[0-9a-f]+|[0-9a-f]{8}-[0-9a-f-]{27}|\d+/gi, '#').slice(0, 200)
}

function byError(failures: readonly Failure[]): Group[] {
  const groups = groupBy(
    failures.filter(({ error }) => error !== undefined),
    ({ error }) => error ?? '',
  )
  return [...groups].map(([value, failures]) => ({ by: 'error', value, failures, ofRows: failures.length }))
}

function byScore(failures: readonly Failure[], rows: number): Group[] {
  const names = [...new Set(failures.flatMap(({ scores }) => scores))]
  return names.map((value) => ({ by: 'score', value, failures: failures.filter(({ scores }) => scores.includes(value)), ofRows: rows }))
}

/** Values of inputs that at least two failing rows share, and that fail more often than all rows do. */
function byInput(failures: readonly Failure[], rows: readonly EvalResultsRow[]): Group[] {
  const usual = failures.length / Math.max(rows.length, 1)
  const counts = countValues(rows)
  const groups = groupBy(
    failures.flatMap((failure) => inputValues(failure.row).map((value) => ({ value, failure }))),
    ({ value }) => value,
  )
  return [...groups].flatMap(([value, members]): Group[] => {
    const ofRows = counts.get(value) ?? 0
    if (members.length < 2 || ofRows === 0 || members.length / ofRows <= usual) return []
    return [{ by: 'input', value, failures: members.map(({ failure }) => failure), ofRows }]
  })
}

/** How many rows have each value, of the columns that have few different ones. */
function countValues(rows: readonly EvalResultsRow[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of rows.flatMap(inputValues)) counts.set(value, (counts.get(value) ?? 0) + 1)
  const distinct = new Map<string, number>()
  for (const value of counts.keys()) distinct.set(columnOf(value), (distinct.get(columnOf(value)) ?? 0) + 1)
  return new Map([...counts].filter(([value]) => (distinct.get(columnOf(value)) ?? 0) <= maxValues))
}

/** The short scalar inputs of a row as `column=value`. */
function inputValues({ raw_data_row }: EvalResultsRow): string[] {
  if (typeof raw_data_row !== 'object' || raw_data_row === null || Array.isArray(raw_data_row)) return []
  return Object.entries(raw_data_row).flatMap(([key, value]) => {
    const isShort =
      typeof value === 'boolean' || typeof value === 'number' || isJsonNumber(value) || (typeof value === 'string' && value.length <= 60)
    return isShort ? [`${key}=${String(value)}`] : []
  })
}

function columnOf(value: string): string {
  return value.slice(0, value.indexOf('='))
}
