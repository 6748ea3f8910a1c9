import type { tracing } from '@heddle/core-api'
import type { Call } from '@heddle/core-api/types'
import type { ClientOf } from '@heddle/core-api/client'
import { stringifyJson } from '@heddle/json/exact'
import { toCallsQuery, type TraceFilter } from './trace-filter.ts'

export type TracingClient = ClientOf<typeof tracing>

export interface TraceSource {
  client: TracingClient
  /** `entity/project`. */
  project: string
  signal?: AbortSignal | undefined
}

/** Which traces of a project are read, and what of them. */
export interface Selection {
  filter: TraceFilter
  /** Most traces; the oldest are read. */
  maxTraces: number
  /** Reads the feedback on each call too. */
  withFeedback: boolean
}

/** Traces that the filter selects. */
export interface FoundTraces {
  traceIds: string[]
  /** Calls that match the filter. */
  callIds: Set<string>
  /** True if there are more traces than may be read, or may be: no more matching calls were looked at. */
  isCut: boolean
}

/** Default for the most traces to read. */
export const defaultMaxTraces = 10_000
/** Traces per batch. */
const batchSize = 20
const maxCallsOfBatch = 20_000
/** Inputs, outputs and attributes of a batch, as JSON. The other columns are small. */
const maxCharactersOfBatch = 64 * 2 ** 20
/** Matching calls that are looked at. */
const maxMatches = 200_000
const timeoutMs = 120_000
const columns = [
  'id',
  'trace_id',
  'parent_id',
  'op_name',
  'started_at',
  'ended_at',
  'exception',
  'inputs',
  'output',
  'attributes',
  'summary',
]

/** Reads ids alone, the oldest first. */
export async function findTraces({ client, project, signal }: TraceSource, { filter, maxTraces }: Selection): Promise<FoundTraces> {
  const request = {
    project_id: project,
    ...toCallsQuery(filter),
    sort_by: [{ field: 'started_at', direction: 'asc' as const }],
    columns: ['id', 'trace_id'],
    limit: maxMatches,
  }
  const traceIds = new Set<string>()
  const callIds = new Set<string>()
  for await (const { id, trace_id } of client.calls.streamQuery(request, options(signal))) {
    if (!traceIds.has(trace_id) && traceIds.size === maxTraces) return { traceIds: [...traceIds], callIds, isCut: true }
    traceIds.add(trace_id)
    callIds.add(id)
  }
  return { traceIds: [...traceIds], callIds, isCut: callIds.size >= maxMatches }
}

/** The calls of some traces; null for one trace that is too large to be read. */
export type ReadBatch = { traceIds: readonly string[]; calls: Call[] | null }

/** Reads traces in batches, so that memory does not grow with their number. */
export async function* readTraces(source: TraceSource, traceIds: readonly string[], withFeedback: boolean): AsyncGenerator<ReadBatch> {
  for (let at = 0; at < traceIds.length; at += batchSize) yield* readBatch(source, traceIds.slice(at, at + batchSize), withFeedback)
}

/** In halves where a batch is larger than may be held. */
async function* readBatch(source: TraceSource, traceIds: readonly string[], withFeedback: boolean): AsyncGenerator<ReadBatch> {
  const calls = await readCalls(source, traceIds, withFeedback)
  if (calls !== null || traceIds.length === 1) return yield { traceIds, calls }
  const half = Math.ceil(traceIds.length / 2)
  yield* readBatch(source, traceIds.slice(0, half), withFeedback)
  yield* readBatch(source, traceIds.slice(half), withFeedback)
}

async function readCalls(
  { client, project, signal }: TraceSource,
  traceIds: readonly string[],
  withFeedback: boolean,
): Promise<Call[] | null> {
  const request = {
    project_id: project,
    filter: { trace_ids: [...traceIds] },
    sort_by: [{ field: 'started_at', direction: 'asc' as const }],
    columns,
    limit: maxCallsOfBatch + 1,
    include_feedback: withFeedback,
  }
  const calls: Call[] = []
  let characters = 0
  for await (const call of client.calls.streamQuery(request, options(signal))) {
    characters += stringifyJson([call.inputs, call.output, call.attributes]).length
    if (calls.length === maxCallsOfBatch || characters > maxCharactersOfBatch) return null
    calls.push(call)
  }
  return calls
}

const options = (signal: AbortSignal | undefined) => ({ timeoutMs, ...(signal && { signal }) })
