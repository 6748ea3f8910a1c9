import type { EvalTrial } from '@heddle/core-api/types'
import { parseJson } from '@heddle/json'
import type { ChildCall } from './child-call.ts'
import { findLateScores } from './late-scores.ts'
import { durationSeconds, latencyInOutput } from './latency.ts'
import { modelOutput, type PredictAndScore } from './predict-and-score.ts'
import { findPredictCall } from './predict-call.ts'
import { findScorerCalls } from './scorer-calls.ts'
import { findSpanRefs } from './span-refs.ts'

/** A trial, and the call whose tokens are priced. */
export interface BuiltTrial {
  trial: EvalTrial
  predictCall: ChildCall | undefined
}

/** Builds a trial from a predict-and-score call alone. */
export function toTrialAlone(call: PredictAndScore): BuiltTrial {
  return build(call, {
    predictCall: undefined,
    scores: call.scores,
    scorerCallIds: {},
    latency: durationSeconds(call),
    tokens: call.tokens,
  })
}

/** Builds a trial from a predict-and-score call and the calls below it, which are in the order of their start. */
export function toTrial(call: PredictAndScore, children: readonly ChildCall[]): BuiltTrial {
  const scoreKeys = Object.keys(call.scores)
  const predictCall = findPredictCall(children, { model: call.model, predictCallId: call.predictCallId, scoreKeys })
  const late = [...findLateScores(scoreKeys, children)].map(([name, json]) => [name, parseJson(json, { loneSurrogates: 'keep' })])
  const scores: Record<string, unknown> = late.length === 0 ? call.scores : { ...call.scores, ...Object.fromEntries(late) }
  return build(call, {
    predictCall,
    scores,
    scorerCallIds: findScorerCalls(Object.keys(scores), children, predictCall),
    latency: null,
    tokens: predictCall === undefined ? call.tokens : predictCall.tokens,
  })
}

interface TrialParts {
  predictCall: ChildCall | undefined
  scores: Record<string, unknown>
  scorerCallIds: Record<string, string>
  /** Seconds, if the output has none. */
  latency: number | null
  tokens: number | null
}

function build(call: PredictAndScore, { predictCall, scores, scorerCallIds, latency, tokens }: TrialParts): BuiltTrial {
  const trial: EvalTrial = {
    predict_and_score_call_id: call.id,
    predict_call_id: predictCall?.id ?? null,
    model_output: modelOutput(call),
    scores,
    model_latency_seconds: (predictCall && durationSeconds(predictCall)) ?? latencyInOutput(call.output) ?? latency,
    total_tokens: tokens,
    total_cost: null,
    scorer_call_ids: scorerCallIds,
    genai_span_ref: findSpanRefs([predictCall, call]),
  }
  return { trial, predictCall }
}
