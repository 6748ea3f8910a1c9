import type { TraceCall } from '@heddle/core-api/types'
import type { JsonText } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { CallsStore } from '../../records/calls/calls-store.ts'
import { presentCalls } from '../../records/calls/read/present-calls.ts'
import { type CallsView, readCalls, toRecords } from '../../records/calls/read/read-calls.ts'
import { viewOfColumns } from '../../records/calls/read/view-of-columns.ts'
import { toTraceCalls, traceTexts } from '../../records/calls/read/trace-call.ts'
import { callsOfTrace, type OpenedLink, unusableLink } from './open-link.ts'

/** Fields of a call that a link shows, in addition to the identifying ones. Its author and run are visible only in the project. */
const shownColumns = [
  'display_name',
  'parent_id',
  'thread_id',
  'turn_id',
  'ended_at',
  'attributes',
  'inputs',
  'output',
  'exception',
  'summary',
]

export interface SharedCallsQuery {
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
  const [nodes, aboveFailed] = await Promise.all([
    store.traceNodes(project, { traceId: link.trace_id, limit, texts: traceTexts }),
    store.aboveFailed(project, [link.trace_id]),
  ])
  if (nodes.length === 0) throw unusableLink()
  return toTraceCalls(nodes, aboveFailed)
}

/**
 * The calls of the trace of a link. The first one is found when this resolves.
 * @throws ApiError 404 where the trace has no calls any more
 */
export async function readSharedCalls(
  store: CallsStore,
  { link, project, assertTrace }: OpenedLink,
  { call_ids, columns, limit, offset }: SharedCallsQuery,
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
  const present = presentCalls({ projectId: project.id, maySee: async () => false })
  return viewOfColumns(columns === null || columns.length === 0 ? shownColumns : columns, { present, failuresBelow: false })
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
