import { isJsonObject } from '@heddle/core-api/internal'
import { parseJson } from '@heddle/json'
import type { StoredChild } from '../eval-results-store.ts'

/** A call below a predict-and-score call, as the rules look at it. */
export interface ChildCall {
  id: string
  op_name: string
  op_short_name: string
  started_micros: number
  /** Null while it runs. */
  ended_micros: number | null
  failed: boolean
  /** `inputs.self`; null where it is missing. */
  self: unknown
  /** Attributes under `weave`. */
  weave: Record<string, unknown>
  /** Mark that loggers of evaluations give to scorers. */
  scoreMark: unknown
  usage: unknown
  spans: unknown
  /** JSON text of the output of a call that may be a scorer. */
  output: string
}

/** Parses what is stored of a call. */
export function toChildCall(stored: StoredChild): ChildCall {
  const { self, weave, score_mark, usage, spans, ...rest } = stored
  const underWeave = parsed(weave)
  return {
    ...rest,
    self: parsed(self),
    weave: isJsonObject(underWeave) ? underWeave : {},
    scoreMark: parsed(score_mark),
    usage: parsed(usage),
    spans: parsed(spans),
  }
}

function parsed(json: string): unknown {
  return json === '' ? null : parseJson(json, { loneSurrogates: 'keep' })
}
