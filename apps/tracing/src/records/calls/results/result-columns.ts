import type { CallRow, EncodableRow, callsTable } from '@heddle/datastore'
import { isJsonObject, JsonText } from '@heddle/core-api/internal'
import { isTrialOp } from './is-trial-op.ts'
import { writeEvalCallFacts } from './eval-call-facts.ts'
import { readyJson, readyMember } from './ready-json.ts'
import { rowDigest } from './row-digest.ts'
import { shapeScores } from './score-shape.ts'
import { totalTokens } from './total-tokens.ts'

type TrialColumns = Pick<CallRow, 'trial_row' | 'score_shape' | 'score_values'>
type ResultColumns = TrialColumns & Pick<CallRow, 'eval_marks' | 'total_tokens'>
type Row = Pick<
  EncodableRow<typeof callsTable>,
  'op_short_name' | 'inputs' | 'output' | 'attributes' | 'summary' | 'eval_marks' | 'total_tokens'
>

const noTrial: TrialColumns = { trial_row: '', score_shape: '', score_values: [] }

/**
 * The columns of a call with a start from which results of evaluations are computed. Columns that its start and its end filled are copied from the
 * row.
 */
export function resultColumns(row: Row): ResultColumns {
  const { eval_marks, total_tokens } = row
  const known = eval_marks === '' ? columnsOfOlderRow(row) : { eval_marks, total_tokens }
  return { ...known, ...trialColumns(row) }
}

/** The row and inputs of a predict-and-score call; empty for any other call. */
export function trialColumns({ op_short_name, inputs, output }: Pick<Row, 'op_short_name' | 'inputs' | 'output'>): TrialColumns {
  if (!isTrialOp(op_short_name)) return noTrial
  const scores = readyMember(new JsonText(output), 'scores')
  const example = readyMember(new JsonText(inputs), 'example') ?? null
  return { trial_row: rowDigest(example), ...shapeScores(isJsonObject(scores) ? scores : {}) }
}

/** Columns of a row that an older version stored. */
function columnsOfOlderRow({ op_short_name, inputs, attributes, summary }: Row): Pick<ResultColumns, 'eval_marks' | 'total_tokens'> {
  const marks = writeEvalCallFacts({ op: op_short_name, inputs: new JsonText(inputs), attributes: new JsonText(attributes) })
  return { eval_marks: marks, total_tokens: tokensOf(readyJson(new JsonText(summary))) }
}

/** Tokens in a summary; null if it has none. */
export function tokensOf(summary: unknown): number | null {
  const tokens = totalTokens(readyMember(summary, 'usage'))
  return tokens === null ? null : Math.min(Math.max(tokens, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
}
