import { setImmediate } from 'node:timers/promises'
import type { ProjectScope } from '@heddle/identity'
import { buildTree, listNodes } from '@heddle/trace-model'
import type { CallUsage, EvalResultsStore, TraceUsage } from '../eval-results-store.ts'

/** What counts in the traces of evaluations, by the rule of traces. */
export interface CountedUsage {
  /** What counts at and below a call; undefined for a call of a trace that was not read. */
  of(callId: string): CountedBelow | undefined
}

/** What counts at and below a call. */
export type CountedBelow = Omit<CallUsage, 'call_id'>

/** Calls of one evaluation, and of all evaluations of a request. */
export const maxCountedCalls = 20_000
const maxCountedTogether = 60_000

/** Reads the usage that counts in the traces of some evaluations. Traces with too many calls are omitted, with a warning. */
export async function readCountedUsage(
  store: Pick<EvalResultsStore, 'roots' | 'traceUsage'>,
  project: ProjectScope,
  evaluations: readonly string[],
): Promise<{ counted: CountedUsage; warnings: string[] }> {
  const roots = await store.roots(project, evaluations)
  const warnings: string[] = []
  const known = new Map<string, (callId: string) => CountedBelow | undefined>()
  let left = maxCountedTogether
  for (const { id, trace_id } of roots) {
    if (known.has(trace_id)) continue
    const limit = Math.min(maxCountedCalls, left)
    const trace = await store.traceUsage(project, trace_id, limit)
    if (trace === undefined) {
      const why =
        limit < maxCountedCalls ? `the evaluations together have more than ${maxCountedTogether}` : `its trace has more than ${limit}`
      warnings.push(`Tokens and costs of evaluation ${id} are as its calls report them: ${why} calls`)
      continue
    }
    left -= trace.calls.length
    known.set(trace_id, usageOfCalls(trace))
    await setImmediate()
  }
  const traces = [...known.values()]
  return {
    warnings,
    counted: {
      of(callId) {
        for (const usageOf of traces) {
          const usage = usageOf(callId)
          if (usage !== undefined) return usage
        }
        return undefined
      },
    },
  }
}

/** In the order of its tree, a call is followed by all those below it. */
function usageOfCalls({ calls, usage }: TraceUsage): (callId: string) => CountedBelow | undefined {
  const placed = listNodes(buildTree(calls))
  const places = new Map(placed.map(({ call }, place) => [call.id, place]))
  const own = new Map(usage.map((used) => [used.call_id, used]))
  return (callId) => {
    const from = places.get(callId)
    if (from === undefined) return undefined
    const found: CountedBelow = { tokens: 0, usage: [] }
    for (let at = from; at < placed.length && (at === from || placed[at]!.depth > placed[from]!.depth); at++) {
      const used = own.get(placed[at]!.call.id)
      if (used === undefined) continue
      found.tokens += used.tokens
      found.usage.push(...used.usage)
    }
    return found
  }
}
