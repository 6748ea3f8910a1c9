import { inParts } from '@heddle/datastore'
import { setImmediate } from 'node:timers/promises'
import type { ProjectScope } from '@heddle/identity'
import { parseJson } from '@heddle/json'
import type { EvalResultsStore, StoredSpans, TraceUsage } from '../eval-results-store.ts'
import { findSpanRefs, type SpanRef } from './span-refs.ts'
import { createUsageOfTrials, type UsageOfTrials } from './usage-of-trials.ts'

/** What counts for the trials of evaluations, by the rule of traces. */
export type CountedUsage = Pick<UsageOfTrials, 'has' | 'of'>

/** Calls of one evaluation, and of all evaluations of a request with the traces of the spans that they name. */
export const maxCountedCalls = 20_000
const maxCountedTogether = 60_000
/** Spans that the evaluations of a request name, and calls at and below these, where several name the same. */
const maxSpans = 60_000
const maxCallsOfSpans = 600_000
/** Traces that are read by one statement. */
const tracesAtOnce = 1_000

type Store = Pick<EvalResultsStore, 'roots' | 'traceUsage' | 'namedSpans'>

/** Spans that calls name, by the id of the call. */
interface NamedSpans {
  of: Map<string, readonly SpanRef[]>
  /** How many more are read. */
  left: number
}

/** Reads the usage that counts in the traces of some evaluations. What is too much is omitted, with a warning. */
export async function readCountedUsage(
  store: Store,
  project: ProjectScope,
  evaluations: readonly string[],
): Promise<{ counted: CountedUsage; warnings: string[] }> {
  const warnings: string[] = []
  const counted = createUsageOfTrials()
  const traces = new Set<string>()
  const named: NamedSpans = { of: new Map(), left: maxSpans }
  let left = maxCountedTogether
  for (const { id, trace_id } of await store.roots(project, evaluations)) {
    if (traces.has(trace_id)) continue
    const limit = Math.min(maxCountedCalls, left)
    const trace = await store.traceUsage(project, [trace_id], limit)
    if (trace === undefined) {
      const why =
        limit < maxCountedCalls ? `the evaluations together have more than ${maxCountedTogether}` : `its trace has more than ${limit}`
      warnings.push(`Tokens and costs of evaluation ${id} are as its calls report them: ${why} calls`)
      continue
    }
    left -= trace.calls.length
    traces.add(trace_id)
    counted.addCalls(trace)
    if (trace.calls.some(({ may_name_spans }) => may_name_spans) && !(await addSpans(named, store.namedSpans(project, trace_id))))
      warnings.push(`Tokens and costs of the spans that evaluation ${id} names are missing: there are more than ${maxSpans}`)
    await setImmediate()
  }
  const others = new Set([...named.of.values()].flatMap((spans) => spans.map(({ trace_id }) => trace_id)))
  const traceIds = [...others].filter((id) => !traces.has(id))
  const areRead = await addTraces(counted, { read: (ids, most) => store.traceUsage(project, ids, most), traceIds, most: left })
  if (!areRead || !counted.addSpans(named.of, maxCallsOfSpans))
    warnings.push(
      `Tokens and costs of the spans that predictions name are missing: there are more than ${maxCountedTogether} calls with them`,
    )
  return { warnings, counted }
}

/** Adds the spans that the calls of a trace name. Resolves to false, and adds none, where they are too many. */
async function addSpans(named: NamedSpans, calls: AsyncIterable<StoredSpans[]>): Promise<boolean> {
  const found: [callId: string, spans: readonly SpanRef[]][] = []
  let { left } = named
  for await (const block of calls) {
    for (const call of block) {
      const spans = spansOf(call)
      left -= spans.length
      if (left < 0) return false
      found.push([call.id, spans])
    }
  }
  for (const [id, spans] of found) named.of.set(id, spans)
  named.left = left
  return true
}

function spansOf({ in_attributes, in_summary }: StoredSpans): SpanRef[] {
  const text = in_attributes === '' ? in_summary : in_attributes
  return text === '' ? [] : (findSpanRefs([{ spans: parseJson(text, { loneSurrogates: 'keep' }) }]) ?? [])
}

interface OtherTraces {
  read: (traceIds: readonly string[], most: number) => Promise<TraceUsage | undefined>
  traceIds: readonly string[]
  most: number
}

/** Resolves to false where the traces together have more calls than `most`. */
async function addTraces(counted: UsageOfTrials, { read, traceIds, most }: OtherTraces): Promise<boolean> {
  let left = most
  for (const some of inParts(traceIds, tracesAtOnce)) {
    const trace = await read(some, left)
    if (trace === undefined) return false
    left -= trace.calls.length
    counted.addCalls(trace)
    await setImmediate()
  }
  return true
}
