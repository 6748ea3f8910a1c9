import type { JsonObject } from '@heddle/core-api'
import { type CallScope, recordCall } from './call-scope.ts'
import type { Predict } from './model/predict.ts'
import type { RunnableScorer } from './runnable-scorer.ts'
import type { Subject } from './subject.ts'

export interface ScoredSubject extends Subject {
  /** Inputs of the call that made the output, without `self`. */
  inputs: JsonObject
}

export interface ScoreRequest {
  scorer: RunnableScorer
  subject: ScoredSubject
  /** Reference to the op of the score call. */
  opRef: string
  signal: AbortSignal
  attributes?: JsonObject
}

/** Scores an output in a call below `parent`; returns the score and the id of that call. @throws the error of the scorer, which the call has as its exception */
export async function score(parent: CallScope, request: ScoreRequest, predict: Predict): Promise<{ value: unknown; callId: string }> {
  const { scorer, subject, opRef, signal, attributes } = request
  const spec = { name: scorer.ref, opRef, inputs: { self: scorer.ref, inputs: subject.row, output: subject.output ?? null } }
  let callId = ''
  const value = await recordCall(parent, { ...spec, ...(attributes && { attributes }) }, async (scope) => {
    callId = scope.id
    if (scorer.run.by === 'rule') return scorer.run.judge(subject)
    const user_input = scorer.run.toMessages(variablesOf(subject))
    return predict(scope, { stored: scorer.run.model, row: { user_input }, signal })
  })
  return { value, callId }
}

/** The variables of a judge's prompt. A column of the row wins over an input of the call, and `output` is always the output. */
function variablesOf({ inputs, row, output }: ScoredSubject): JsonObject {
  return { inputs, ...inputs, ...row, output: output ?? null }
}
