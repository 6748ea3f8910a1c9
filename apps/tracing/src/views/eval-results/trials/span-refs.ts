import { isJsonObject } from '@heddle/core-api/internal'

export interface SpanRef {
  trace_id: string
  span_id: string
}

/** A call's data about its spans: `genai_span_ref` of its attributes, else of its summary. */
export interface SpanSource {
  spans: unknown
}

/** The spans that calls name, each once, in the order of the calls; null without any. Entries that are not pairs of ids are skipped. */
export function findSpanRefs(calls: readonly (SpanSource | undefined)[]): SpanRef[] | null {
  const found = new Map<string, SpanRef>()
  for (const call of calls) {
    const named = call?.spans
    for (const entry of Array.isArray(named) ? named : [named]) {
      if (isSpanRef(entry)) found.set(JSON.stringify([entry.trace_id, entry.span_id]), { trace_id: entry.trace_id, span_id: entry.span_id })
    }
  }
  return found.size === 0 ? null : [...found.values()]
}

function isSpanRef(entry: unknown): entry is Record<string, unknown> & SpanRef {
  return isJsonObject(entry) && typeof entry.trace_id === 'string' && typeof entry.span_id === 'string'
}
