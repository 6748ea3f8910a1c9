import { buildTree, listNodes } from '@heddle/trace-model'
import type { CallUsage, TraceUsage } from '../eval-results-store.ts'
import type { SpanRef } from './span-refs.ts'

/** Ids of the predict-and-score call of a trial, and of its predict call, if it has one. */
export interface CountedTrial {
  trialId: string
  predictId: string | null
}

/** What counts of several calls together. */
export type TrialUsage = Omit<CallUsage, 'call_id'>

/** Usage of trials by the trees of their traces. */
export interface UsageOfTrials {
  addCalls(read: TraceUsage): void
  /** Spans that calls name, by the id of the call. False, and without effect, where more than `most` calls are at and below these spans. */
  addSpans(named: ReadonlyMap<string, readonly SpanRef[]>, most: number): boolean
  /** Whether the trace of a call was added. */
  has(callId: string): boolean
  /**
   * What counts at and below the predict call of a trial, or else the whole trial, and at and below the spans that the trial names: each call once.
   * Undefined for a trial of a trace that was not added.
   */
  of(trial: CountedTrial): TrialUsage | undefined
}

/** A call in the order of its tree, where all those below it follow it. */
interface PlacedCall {
  id: string
  usage: CallUsage | undefined
  /** Index after the last call below it. */
  end: number
}

export function createUsageOfTrials(): UsageOfTrials {
  const calls: PlacedCall[] = []
  const places = new Map<string, number>()
  let spans: ReadonlyMap<string, readonly SpanRef[]> = new Map()
  const spanIdsOf = (callId: string) => spans.get(callId)?.map(({ span_id }) => span_id) ?? []

  const sizeOf = ({ span_id }: SpanRef) => {
    const at = places.get(span_id)
    return at === undefined ? 0 : calls[at]!.end - at
  }

  return {
    addCalls(read) {
      const used = new Map(read.usage.map((one) => [one.call_id, one]))
      const open: { call: PlacedCall; depth: number }[] = []
      const close = (depth: number) => {
        while ((open.at(-1)?.depth ?? -1) >= depth) open.pop()!.call.end = calls.length
      }
      for (const { call, depth } of listNodes(buildTree(read.calls))) {
        close(depth)
        const placed = { id: call.id, usage: used.get(call.id), end: 0 }
        places.set(call.id, calls.length)
        calls.push(placed)
        open.push({ call: placed, depth })
      }
      close(0)
    },
    addSpans(named, most) {
      const below = [...named.values()].flat().reduce((sum, span) => sum + sizeOf(span), 0)
      if (below > most) return false
      spans = named
      return true
    },
    has: (callId) => places.has(callId),
    of({ trialId, predictId }) {
      const first = predictId ?? trialId
      if (!places.has(first)) return undefined
      const found: TrialUsage = { tokens: 0, usage: [] }
      const seen = new Set<string>()
      const wanted = [first, ...spanIdsOf(trialId)]
      for (const id of wanted) {
        const from = places.get(id)
        const end = from === undefined ? 0 : calls[from]!.end
        for (let at = from ?? 0; at < end;) {
          const call = calls[at]!
          if (seen.has(call.id)) {
            at = call.end
            continue
          }
          at++
          seen.add(call.id)
          wanted.push(...spanIdsOf(call.id))
          found.tokens += call.usage?.tokens ?? 0
          found.usage.push(...(call.usage?.usage ?? []))
        }
      }
      return found
    },
  }
}
