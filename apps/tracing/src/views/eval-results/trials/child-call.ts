import { isJsonObject } from '@heddle/core-api/internal'
import { parseJson } from '@heddle/json'
import type { PricedCallColumns } from '../../../records/calls/row/call-facts.ts'
import { isMarkedScorer, readEvalCallFacts } from '../../../records/calls/results/eval-call-facts.ts'
import { objectNameOf } from '../../../records/calls/results/object-name.ts'
import { isExactCount, totalTokens } from '../../../records/calls/results/total-tokens.ts'
import type { StoredChild, StoredChildMarks } from '../eval-results-store.ts'

/** A call below a predict-and-score call, as the rules look at it. */
export interface ChildCall extends PricedCallColumns {
  id: string
  parent_id: string
  /** Equal for calls that differ only in id, times, tokens and output. */
  kind: string
  op_name: string
  op_short_name: string
  started_micros: number
  /** Null while it runs. */
  ended_micros: number | null
  failed: boolean
  /** `inputs.self`; null where it is missing. */
  self: unknown
  /** Its attributes name it a scorer. */
  isMarked: boolean
  /** Name of the scorer object in its attributes. */
  scorer: string | null
  /** Over all models; null if the summary has none. */
  tokens: number | null
  /** Token counts by model. Null where these were not read. */
  usage: unknown
  /** The spans that its attributes name, or else its summary. */
  spans: unknown
  /** JSON text of the output of a call that may be a scorer. `''` unless it was read with its payloads. */
  output: string
}

/** Parses the stored columns of a call. */
export function toChildCall({ self, weave, score_mark, usage, spans, ...rest }: StoredChild): ChildCall {
  const underWeave = parsed(weave)
  const marks = isJsonObject(underWeave) ? underWeave : {}
  const counts = parsed(usage)
  return {
    ...rest,
    kind_words: rest.kind_words ?? '',
    span_scope: rest.span_scope ?? '',
    service_tier: rest.service_tier ?? '',
    self: parsed(self),
    isMarked: isMarkedScorer({ weave: marks, scoreMark: parsed(score_mark) }),
    scorer: objectNameOf(marks.scorer) ?? null,
    tokens: totalTokens(counts),
    usage: counts,
    spans: marks.genai_span_ref ?? parsed(spans),
  }
}

/** Parses the columns of a call without its payloads; undefined if they are not enough. */
export function toMarkedCall(call: StoredChildMarks): ChildCall | undefined {
  const { eval_marks, total_tokens } = call
  if (eval_marks === '' || call.may_name_spans) return undefined
  const { self, isScorer, scorer } = readEvalCallFacts(eval_marks)
  if (self === true || !isExactCount(total_tokens)) return undefined
  // A large page has millions of these: named one by one, fields are copied in a third of the time.
  return {
    id: call.id,
    parent_id: call.parent_id,
    kind: call.kind,
    op_name: call.op_name,
    op_short_name: call.op_short_name,
    started_micros: call.started_micros,
    ended_micros: call.ended_micros,
    failed: call.failed,
    self,
    isMarked: isScorer,
    scorer,
    tokens: total_tokens,
    usage: parsed(call.usage),
    kind_words: call.kind_words ?? '',
    span_scope: call.span_scope ?? '',
    service_tier: call.service_tier ?? '',
    spans: null,
    output: '',
  }
}

function parsed(json: string): unknown {
  return json === '' ? null : parseJson(json, { loneSurrogates: 'keep' })
}
