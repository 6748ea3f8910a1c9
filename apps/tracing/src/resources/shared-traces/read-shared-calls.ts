import type { TraceCall } from '@heddle/core-api'
import type { JsonText } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { CallsStore } from '../calls/calls-store.ts'
import { presentCalls } from '../calls/read/present-calls.ts'
import { type CallsView, readCalls, toRecords } from '../calls/read/read-calls.ts'
import { neededPayloads, selectedFields } from '../calls/read/selected-fields.ts'
import { toTraceCalls, traceTexts } from '../calls/read/trace-call.ts'
import { callsOfTrace, type OpenedLink, unusableLink } from './open-link.ts'

/** What a link shows of a call beside what identifies it. Who recorded it, and in which run, is for the project alone. */
const shown = ['display_name', 'parent_id', 'thread_id', 'turn_id', 'ended_at', 'attributes', 'inputs', 'output', 'exception', 'summary']

export interface WantedCalls {
  call_ids: string[] | null
  /** Null or empty: all that a link shows. */
  columns: readonly string[] | null
  limit: number
  offset: number
}

/**
 * The calls of the trace of a link without their payloads, at most `limit`.
 * @throws ApiError 404 where the trace has no calls any more
 */
export async function readSharedTree(store: CallsStore, { link, project }: OpenedLink, limit: number): Promise<AsyncGenerator<TraceCall>> {
  const nodes = await store.traceNodes(project, { traceId: link.trace_id, limit, texts: traceTexts })
  if (nodes.length === 0) throw unusableLink()
  return toTraceCalls(nodes)
}

/**
 * The calls of the trace of a link. The first one is found when this resolves.
 * @throws ApiError 404 where the trace has no calls any more
 */
export async function readSharedCalls(
  store: CallsStore,
  { link, project, assertTrace }: OpenedLink,
  { call_ids, columns, limit, offset }: WantedCalls,
): Promise<AsyncGenerator<JsonText>> {
  const keys = await store.select(project, callsOfTrace(link.trace_id, { callIds: call_ids, limit, offset }))
  const records = readCalls(store, project, keys, viewOf(project, columns))
  const first = await records.next()
  if (first.done) await assertTrace()
  return startingWith(first, records)
}

/**
 * One call of the trace of a link; undefined where it has none with this id.
 * @throws ApiError 404 where the trace has no calls any more
 */
export async function readSharedCall(
  store: CallsStore,
  { link, project, assertTrace }: OpenedLink,
  id: string,
): Promise<JsonText | undefined> {
  const call = await store.readOne(project, id)
  if (call?.trace_id !== link.trace_id) {
    await assertTrace()
    return undefined
  }
  const [record] = await toRecords(store, project, [call], viewOf(project, null))
  if (record === undefined) throw unusableLink()
  return record
}

function viewOf(project: ProjectScope, columns: readonly string[] | null): CallsView {
  const wanted = columns === null || columns.length === 0 ? shown : columns
  const fields = selectedFields({ columns: wanted, include_costs: false, include_usernames: false })
  return {
    fields,
    payloads: neededPayloads(fields),
    pricesOf: undefined,
    storageSize: false,
    totalStorageSize: false,
    usernames: false,
    feedbackOf: undefined,
    present: presentCalls({ projectId: project.id, maySee: async () => false }),
    kept: undefined,
  }
}

async function* startingWith<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    if (first.done) return
    yield first.value
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}
