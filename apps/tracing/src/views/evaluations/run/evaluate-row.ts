import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { type CallScope, recordCall } from '../../../domain/scoring/call-scope.ts'
import { ModelError } from '../../../domain/scoring/model/completion-model.ts'
import type { Predict } from '../../../domain/scoring/model/predict.ts'
import type { RunnableScorer } from '../../../domain/scoring/runnable-scorer.ts'
import { score, type ScoredSubject } from '../../../domain/scoring/score.ts'
import { ScorerError } from '../../../domain/scoring/subject.ts'
import type { EvaluationOps } from './evaluation-ops.ts'
import type { RunnableEvaluation } from './load-evaluation.ts'

/** One row in one trial. */
export interface RowTask {
  /** Names the task among those of the run. */
  name: string
  /** Reference to the row. */
  ref: string
  row: JsonObject
}

/** Output of the call of a row. */
export interface RowOutput {
  output: unknown
  scores: JsonObject
  /** Seconds. */
  model_latency: number
}

/** A score, and the calls to which its feedback belongs. */
export interface RowScore {
  scorer: RunnableScorer
  value: unknown
  callId: string
}

/** Feedback on the prediction of one row. */
export interface RowFeedback {
  predictCallId: string
  scores: RowScore[]
}

interface RowWork {
  evaluation: RunnableEvaluation
  ops: EvaluationOps
  predict: Predict
  signal: AbortSignal
}

/**
 * Predicts and scores one row, in calls below the run. A model that fails leaves a row without output and scores; a scorer that fails fails the row.
 * @throws ScorerError, PromptError or ModelError of a scorer
 */
export async function evaluateRow(root: CallScope, task: RowTask, work: RowWork): Promise<{ output: RowOutput; feedback: RowFeedback }> {
  const { evaluation, ops } = work
  const inputs = { self: evaluation.ref, model: evaluation.modelRef, example: task.ref }
  const feedback: RowFeedback = { predictCallId: '', scores: [] }
  const output = await recordCall(root, { name: task.name, opRef: ops.predictAndScore, inputs }, async (scope): Promise<RowOutput> => {
    refuseCode(task.row)
    feedback.predictCallId = scope.recording.idOf(`${scope.name}/predict`)
    const { predicted, model_latency } = await predictRow(scope, task, work)
    if (predicted === undefined) return { output: null, scores: {}, model_latency }
    feedback.scores = await scoreRow(scope, { output: predicted.output, row: task.row, inputs: task.row }, work)
    const scores = Object.fromEntries(feedback.scores.map(({ scorer, value }) => [scorer.name, value]))
    return { output: predicted.output, scores, model_latency }
  })
  return { output, feedback }
}

/** `predicted` is undefined when the model fails; its latency is known all the same. */
async function predictRow(scope: CallScope, { row }: RowTask, { evaluation, predict, signal }: RowWork) {
  const { clock } = scope.recording
  const startedAt = clock()
  const predicted = await predict(scope, { stored: evaluation.model, row, signal }).then(
    (output) => ({ output }),
    (error: unknown) => {
      if (error instanceof ModelError) return undefined
      throw error
    },
  )
  return { predicted, model_latency: (clock() - startedAt) / 1_000_000 }
}

async function scoreRow(scope: CallScope, subject: ScoredSubject, { evaluation, ops, predict, signal }: RowWork): Promise<RowScore[]> {
  const scores: RowScore[] = []
  for (const scorer of evaluation.scorers) {
    scores.push({ scorer, ...(await score(scope, { scorer, subject, opRef: ops.score(scorer), signal }, predict)) })
  }
  return scores
}

/** @throws ScorerError for a row with stored code in it, which is never run */
function refuseCode(row: JsonObject): void {
  for (const [column, value] of Object.entries(row)) {
    if (holdsCode(value)) {
      throw new ScorerError(`column "${column}" of the row holds an op or another custom type, which the server does not run`)
    }
  }
}

function holdsCode(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsCode)
  return isJsonObject(value) && (value['_type'] === 'CustomWeaveType' || Object.values(value).some(holdsCode))
}
