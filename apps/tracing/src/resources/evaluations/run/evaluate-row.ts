import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { type CallScope, recordCall } from '../../../scoring/call-scope.ts'
import { ModelError } from '../../../scoring/completion-model.ts'
import type { Predict } from '../../../scoring/predict.ts'
import type { RunnableScorer } from '../../../scoring/runnable-scorer.ts'
import { score } from '../../../scoring/score.ts'
import { ScorerError } from '../../../scoring/subject.ts'
import type { RunnableEvaluation } from './load-evaluation.ts'

/** References to the ops of the calls of a run. */
export interface EvaluationOps {
  evaluate: string
  predictAndScore: string
  predict: string
  summarize: string
  score: (scorer: RunnableScorer) => string
  summarizeScorer: (scorer: RunnableScorer) => string
}

/** One row in one trial. */
export interface RowTask {
  /** Names the task among those of the run. */
  name: string
  /** Reference to the row. */
  ref: string
  row: JsonObject
}

/** What the call of a row has as output. */
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
export function evaluateRow(
  root: CallScope,
  task: RowTask,
  { evaluation, ops, predict, signal }: RowWork,
): Promise<{ output: RowOutput; feedback: RowFeedback }> {
  const { model, modelRef, scorers } = evaluation
  const feedback: RowFeedback = { predictCallId: '', scores: [] }
  const inputs = { self: evaluation.ref, model: modelRef, example: task.ref }
  const { clock } = root.recording
  const work = async (scope: CallScope): Promise<RowOutput> => {
    refuseCode(task.row)
    feedback.predictCallId = scope.recording.idOf(`${scope.name}/predict`)
    const begun = clock()
    const predicted = await predict(scope, { stored: model, row: task.row, signal }).then(
      (output) => ({ output }),
      (error: unknown) => {
        if (error instanceof ModelError) return undefined
        throw error
      },
    )
    const model_latency = (clock() - begun) / 1_000_000
    if (predicted === undefined) return { output: null, scores: {}, model_latency }
    const scores: JsonObject = {}
    for (const scorer of scorers) {
      const subject = { output: predicted.output, row: task.row, inputs: task.row }
      const { value, callId } = await score(scope, { scorer, subject, opRef: ops.score(scorer), signal }, predict)
      scores[scorer.name] = value
      feedback.scores.push({ scorer, value, callId })
    }
    return { output: predicted.output, scores, model_latency }
  }
  return recordCall(root, { name: task.name, opRef: ops.predictAndScore, inputs }, work).then((output) => ({ output, feedback }))
}

/** @throws ScorerError for a row with stored code in it: that is never run, so what it would give is not known */
function refuseCode(row: JsonObject): void {
  for (const [column, value] of Object.entries(row)) {
    if (isJsonObject(value) && value['_type'] === 'CustomWeaveType') {
      throw new ScorerError(`column "${column}" of the row holds an op or another stored type, which is not run on the server`)
    }
  }
}
