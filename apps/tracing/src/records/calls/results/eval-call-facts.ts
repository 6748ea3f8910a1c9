import { isJsonNumber, isJsonObject } from '@heddle/core-api/internal'
import { isTrialOp } from './is-trial-op.ts'
import { readyJson, readyMember } from './ready-json.ts'
import { objectNameOf } from './object-name.ts'

/**
 * An input as the rules of evaluation results compare it: a text, or null for none. `true` represents anything else, and texts above 1,000
 * characters.
 */
export type MarkedInput = string | null | true

/** Facts in the start of a call that the rules of evaluation results read, besides its op. */
export interface EvalCallFacts {
  /** `inputs.self`. */
  self: MarkedInput
  /** The attributes name the call a scorer. */
  isScorer: boolean
  /** Name of the scorer object in the attributes. */
  scorer: string | null
  /** `inputs.model` of a predict-and-score call. */
  model: MarkedInput
  /** A predict-and-score call names its predict call by an id. */
  namesPredictCall: boolean
}

const maxText = 1_000

/** The facts of a call as text; `[]` for those of most calls, which have none. Values are parsed JSON or hold ready texts. */
export function writeEvalCallFacts({ op, inputs, attributes }: { op: string; inputs: unknown; attributes: unknown }): string {
  const weave = readyMember(attributes, 'weave')
  const self = markedInput(readyMember(inputs, 'self'))
  const isScorer = isMarkedScorer({ weave, scoreMark: readyMember(readyMember(attributes, '_weave_eval_meta'), 'score') })
  const scorer = objectNameOf(readyMember(weave, 'scorer')) ?? null
  const isTrial = isTrialOp(op)
  const model = isTrial ? markedInput(readyMember(inputs, 'model')) : null
  const namesPredictCall = isTrial && (readyMember(weave, 'predict_call_id') ?? null) !== null
  if (self === null && !isScorer && scorer === null && model === null && !namesPredictCall) return '[]'
  return JSON.stringify([self, isScorer, scorer, model, namesPredictCall])
}

/** Reads what `writeEvalCallFacts` wrote. */
export function readEvalCallFacts(text: string): EvalCallFacts {
  const [self = null, isScorer = false, scorer = null, model = null, namesPredictCall = false] = JSON.parse(text) as Partial<
    [EvalCallFacts['self'], boolean, string | null, EvalCallFacts['model'], boolean]
  >
  return { self, isScorer, scorer, model, namesPredictCall }
}

/** True for a call that its attributes name a scorer. */
export function isMarkedScorer({ weave, scoreMark }: { weave: unknown; scoreMark: unknown }): boolean {
  return readyMember(weave, 'score') === 'true' || isTruthy(readyJson(scoreMark))
}

function markedInput(value: unknown): MarkedInput {
  const ready = readyJson(value) ?? null
  if (ready === null) return null
  return typeof ready === 'string' && ready.length <= maxText ? ready : true
}

/** True as in Python: empty texts, lists and objects are not. */
function isTruthy(value: unknown): boolean {
  if (isJsonNumber(value)) return Number(value.text) !== 0
  if (Array.isArray(value)) return value.length > 0
  return isJsonObject(value) ? Object.keys(value).length > 0 : Boolean(value)
}
