import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { copySpan } from './copy-span.ts'

/** Attribute of a span whose parents were left out: the id of the parent that it really had. */
export const reparentedAttribute = 'heddle.reparented_from'

const maxTraces = 2000
const maxLeftOut = 1000

/** What is known of the spans of one trace in this process. */
interface TraceState {
  running: number
  /** Ids of spans that have to be kept because a kept span is below them. */
  needed: Set<string>
  /** Spans that were left out, with their parents. */
  leftOut: Map<string, ReadableSpan['parentSpanContext']>
}

/**
 * Leaves spans out and keeps trees whole: the ancestors of a kept span are kept too. Children end before their parents, as a rule; where a
 * kept span ends after an ancestor has been left out, it gets the nearest ancestor that is left. Remembers 2,000 traces at most.
 */
export class TreeFilter {
  readonly #isWanted: (span: ReadableSpan) => boolean
  readonly #traces = new Map<string, TraceState>()

  constructor(isWanted: (span: ReadableSpan) => boolean) {
    this.#isWanted = isWanted
  }

  start(traceId: string): void {
    let state = this.#traces.get(traceId)
    if (state === undefined) {
      this.#forgetOldest()
      state = { running: 0, needed: new Set(), leftOut: new Map() }
      this.#traces.set(traceId, state)
    }
    state.running++
  }

  /** The span as it is to be sent; undefined when it is left out. */
  end(span: ReadableSpan): ReadableSpan | undefined {
    const { traceId, spanId } = span.spanContext()
    const state = this.#traces.get(traceId)
    if (state === undefined) return this.#isWanted(span) ? span : undefined
    state.running--
    const kept = this.#keep(span, spanId, state)
    // Late spans may still come below those that were left out; only a trace of which nothing was left out has no more to remember.
    if (state.running <= 0 && state.leftOut.size === 0) this.#traces.delete(traceId)
    return kept
  }

  #keep(span: ReadableSpan, spanId: string, state: TraceState): ReadableSpan | undefined {
    const isNeeded = state.needed.delete(spanId)
    if (!isNeeded && !this.#isWanted(span)) {
      if (state.leftOut.size < maxLeftOut) state.leftOut.set(spanId, span.parentSpanContext)
      return undefined
    }
    let parent = span.parentSpanContext
    for (let steps = 0; parent !== undefined && state.leftOut.has(parent.spanId) && steps < maxLeftOut; steps++)
      parent = state.leftOut.get(parent.spanId)
    if (parent !== undefined) state.needed.add(parent.spanId)
    return parent === span.parentSpanContext ? span : reparent(span, parent)
  }

  #forgetOldest(): void {
    if (this.#traces.size < maxTraces) return
    for (const traceId of this.#traces.keys()) {
      this.#traces.delete(traceId)
      return
    }
  }
}

function reparent(span: ReadableSpan, parent: ReadableSpan['parentSpanContext']): ReadableSpan {
  const attributes = { ...span.attributes, [reparentedAttribute]: span.parentSpanContext?.spanId ?? '' }
  const { parentSpanContext: _left, ...whole } = copySpan(span, { attributes })
  return parent === undefined ? whole : { ...whole, parentSpanContext: parent }
}
