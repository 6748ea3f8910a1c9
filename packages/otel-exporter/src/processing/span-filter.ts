import { copySpan } from '../spans/copy-span.ts'
import type { ReadableSpan } from '../spans/readable-span.ts'

/** Attribute of a span whose parents were filtered out: the id of its original parent. */
const reparentedAttribute = 'heddle.reparented_from'

const maxTraces = 2000
/** Over all traces. */
const maxLeftOut = 20_000

/** State of the spans of one trace in this process. */
interface TraceState {
  running: number
  /** Ids of spans that have to be kept because a kept span is below them. */
  needed: Set<string>
  /** Spans that were filtered out, with their parents. */
  leftOut: Map<string, ReadableSpan['parentSpanContext']>
}

/**
 * Leaves spans out and keeps trees whole: the ancestors of a kept span are kept too. Children end before their parents, as a rule; where a
 * kept span ends after an ancestor has been dropped, it gets the nearest remaining ancestor. Remembers 2,000 traces and 20,000 spans at most, the newest.
 */
export class TreeFilter {
  readonly #isWanted: (span: ReadableSpan) => boolean
  readonly #traces = new Map<string, TraceState>()
  #leftOutCount = 0

  constructor(isWanted: (span: ReadableSpan) => boolean) {
    this.#isWanted = isWanted
  }

  start(traceId: string): void {
    let state = this.#traces.get(traceId)
    if (state === undefined) {
      if (this.#traces.size >= maxTraces) this.#forgetOldest()
      state = { running: 0, needed: new Set(), leftOut: new Map() }
      this.#traces.set(traceId, state)
    }
    state.running++
  }

  /** The span to send; undefined if it is filtered out. */
  end(span: ReadableSpan): ReadableSpan | undefined {
    const { traceId, spanId } = span.spanContext()
    const state = this.#traces.get(traceId)
    if (state === undefined) return this.#isWanted(span) ? span : undefined
    state.running--
    const kept = this.#keep(span, spanId, state)
    // Late spans may still arrive below filtered ones; only a trace without filtered spans can be forgotten.
    if (state.running <= 0 && state.leftOut.size === 0) this.#traces.delete(traceId)
    return kept
  }

  #keep(span: ReadableSpan, spanId: string, state: TraceState): ReadableSpan | undefined {
    const isNeeded = state.needed.delete(spanId)
    if (!isNeeded && !this.#isWanted(span)) {
      this.#leaveOut(span, spanId, state)
      return undefined
    }
    let parent = span.parentSpanContext
    for (let steps = 0; parent !== undefined && state.leftOut.has(parent.spanId) && steps < maxLeftOut; steps++)
      parent = state.leftOut.get(parent.spanId)
    if (parent !== undefined) state.needed.add(parent.spanId)
    return parent === span.parentSpanContext ? span : reparent(span, parent)
  }

  #leaveOut(span: ReadableSpan, spanId: string, state: TraceState): void {
    while (this.#leftOutCount >= maxLeftOut && this.#traces.size > 0) this.#forgetOldest()
    if (this.#traces.get(span.spanContext().traceId) !== state) return
    state.leftOut.set(spanId, span.parentSpanContext)
    this.#leftOutCount++
  }

  #forgetOldest(): void {
    for (const [traceId, { leftOut }] of this.#traces) {
      this.#traces.delete(traceId)
      this.#leftOutCount -= leftOut.size
      return
    }
  }
}

function reparent(span: ReadableSpan, parent: ReadableSpan['parentSpanContext']): ReadableSpan {
  const attributes = { ...span.attributes, [reparentedAttribute]: span.parentSpanContext?.spanId ?? '' }
  const { parentSpanContext: _left, ...whole } = copySpan(span, { attributes })
  return parent === undefined ? whole : { ...whole, parentSpanContext: parent }
}
