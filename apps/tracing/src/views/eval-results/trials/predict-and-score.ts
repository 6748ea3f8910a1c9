import { isJsonObject } from '@heddle/core-api/internal'
import { parseJson } from '@heddle/json'
import type { PlainRowTrial } from '../../../query/results/trials-in.ts'
import { readEvalCallFacts } from '../../../records/calls/results/eval-call-facts.ts'
import { isExactCount, totalTokens } from '../../../records/calls/results/total-tokens.ts'
import type { StoredTrial } from '../eval-results-store.ts'
import type { TimeSpan } from './latency.ts'
import type { SpanSource } from './span-refs.ts'

/** A predict-and-score call, as the rules look at it. */
export interface PredictAndScore extends TimeSpan, SpanSource {
  id: string
  /** `inputs.example`; null where it is missing. */
  example: unknown
  /** `inputs.model`; null where it is missing. */
  model: unknown
  /** Empty where the call returned no object. */
  output: Record<string, unknown>
  /** Empty where the call returned none. */
  scores: Record<string, unknown>
  /** Over all models; null if the summary has none. */
  tokens: number | null
  /** The id of the predict call that its attributes name. */
  predictCallId: unknown
}

/** Parses a call as it is stored. */
export function toPredictAndScore(call: StoredTrial): PredictAndScore {
  const summary = objectIn(call.summary)
  const weave = objectAt(objectIn(call.attributes).weave)
  return {
    ...givenAndReturned(call),
    spans: weave.genai_span_ref ?? objectAt(summary.weave).genai_span_ref,
    predictCallId: weave.predict_call_id,
    tokens: totalTokens(summary.usage),
  }
}

/** A call whose columns contain everything except its inputs and output. */
export function toPlainPredictAndScore(call: PlainRowTrial): PredictAndScore {
  return { ...givenAndReturned(call), spans: null, predictCallId: null, tokens: call.total_tokens }
}

/** Whether the columns and the data read with them are enough for the rules. */
export function isPlain({ may_name_spans, eval_marks, total_tokens }: PlainRowTrial): boolean {
  if (may_name_spans || eval_marks === '' || !isExactCount(total_tokens)) return false
  return !readEvalCallFacts(eval_marks).namesPredictCall
}

function givenAndReturned(call: Pick<StoredTrial, 'id' | 'started_micros' | 'ended_micros' | 'inputs' | 'output'>) {
  const inputs = objectIn(call.inputs)
  const output = objectIn(call.output)
  return {
    id: call.id,
    started_micros: call.started_micros,
    ended_micros: call.ended_micros,
    example: inputs.example ?? null,
    model: inputs.model ?? null,
    output,
    scores: isJsonObject(output.scores) ? output.scores : {},
  }
}

/** Output of the model; null if there is none. */
export function modelOutput({ output }: Pick<PredictAndScore, 'output'>): unknown {
  return Object.hasOwn(output, 'output') ? output.output : (output.model_output ?? null)
}

function objectIn(json: string): Record<string, unknown> {
  return objectAt(parseJson(json, { loneSurrogates: 'keep' }))
}

function objectAt(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {}
}
