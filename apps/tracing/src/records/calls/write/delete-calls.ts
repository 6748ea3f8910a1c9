import { tooLarge } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { DeletionsStore } from '../../../deletions/deletions-store.ts'
import type { CallsStore } from '../calls-store.ts'
import type { CallRemovalStore, NamedNode } from './call-removal-store.ts'
import type { CallsWriter } from './calls-writer.ts'
import { callIdProblem } from './check-call.ts'
import { withDescendants } from './descendants.ts'
import { markDescendants } from './marked-descendants.ts'

const maxDeletedIds = 1000
/** Up to this many calls are merged with their stored versions, as all other changes are. */
const maxMerged = 2_000
/** Calls of traces whose trees are held in memory with the ids of their calls. */
const maxNamedTree = 20_000
/** Calls that are listed by one write. */
const listedAtOnce = 20_000
/** A trace of which a part is deleted has new totals before the request is answered, unless it is larger. */
const maxSettledAtOnce = 200_000
/** Two of 10 million calls have the same hash once in a million times. */
const maxMarkings = 3

/**
 * Deletes calls with everything below them. Resolves to the number of distinct ids given plus that of the live calls below them; to 0 where none of
 * the ids is a live call. Above 2,000 calls they are hidden together when this resolves, and removed by a job, which continues after a crash.
 * @throws ApiError 413 above 1000 ids, 429 where too many traces of the project are being deleted
 */
export type DeleteCalls = (project: ProjectScope, ids: readonly string[]) => Promise<number>

export interface DeleteCallsDeps {
  store: Pick<CallsStore, 'findTraces' | 'countTraces'>
  removal: Pick<CallRemovalStore, 'tracesWithOtherRoots' | 'hashedNodes' | 'namedNodes' | 'list' | 'unlist' | 'settle'>
  writer: Pick<CallsWriter, 'write'>
  deletions: Pick<DeletionsStore, 'begin'>
  clock: () => Micros
  newId: () => string
}

type FoundTrace = Awaited<ReturnType<CallsStore['countTraces']>>[number]

export function createDeleteCalls({ store, removal, writer, deletions, clock, newId }: DeleteCallsDeps): DeleteCalls {
  /** An id that no call has yet is deleted as well: what arrives late for it does not bring it back. */
  const deleteEach = (project: ProjectScope, ids: readonly string[]) => {
    const deleted_at = clock()
    return writer.write([{ project, changes: ids.map((id) => ({ kind: 'delete', id, deleted_at })) }])
  }

  /** Lists the given calls of some traces and all below them for a deletion. Resolves to their number. */
  async function listDescendants(
    project: ProjectScope,
    { deletionId, traceIds, ids }: { deletionId: string; traceIds: readonly string[]; ids: readonly string[] },
  ): Promise<number> {
    for (let marking = 0; marking < maxMarkings; marking++) {
      const key = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
      const below = await markDescendants(removal.hashedNodes(project, traceIds, { ids, key }))
      if (below === undefined) continue
      let waiting: NamedNode[] = []
      const flush = async () => {
        if (waiting.length > 0) await removal.list(project, deletionId, waiting)
        waiting = []
      }
      for await (const block of removal.namedNodes(project, traceIds, key)) {
        for (const node of block) {
          if (below.has(node.hash)) waiting.push(node)
        }
        if (waiting.length >= listedAtOnce) await flush()
      }
      await flush()
      return below.count
    }
    throw new Error('the calls of a deletion cannot be told apart')
  }

  async function deleteLarge(project: ProjectScope, requested: readonly string[], traces: readonly FoundTrace[]): Promise<number> {
    const id = newId()
    const all = traces.map(({ trace_id }) => trace_id)
    const others = await removal.tracesWithOtherRoots(project, all, requested)
    const whole = traces.filter(({ trace_id }) => !others.has(trace_id))
    const part_traces = all.filter((trace) => others.has(trace))
    const listed = part_traces.length === 0 ? 0 : await listDescendants(project, { deletionId: id, traceIds: part_traces, ids: requested })
    const calls = sizeOf(whole) + listed
    const whole_traces = whole.map(({ trace_id }) => trace_id)
    try {
      const ofCalls = { kind: 'calls', last_version: 0, object_id: null } as const
      await deletions.begin(project, { ...ofCalls, id, whole_traces, part_traces, total: calls, deleted_at: clock() })
    } catch (error) {
      if (listed > 0) await removal.unlist(project, id)
      throw error
    }
    if (part_traces.length > 0 && sizeOf(traces) - sizeOf(whole) <= maxSettledAtOnce) await removal.settle(project, part_traces)
    return calls
  }

  return async (project, given) => {
    if (given.length > maxDeletedIds) throw tooLarge()
    const distinct = [...new Set(given)]
    const requested = distinct.filter((id) => callIdProblem(id) === undefined)
    const impossible = distinct.length - requested.length
    const traces = await store.countTraces(project, requested)
    if (traces.length === 0) return 0
    const isLive = new Set(traces.flatMap(({ live }) => live))
    const unknown = requested.filter((id) => !isLive.has(id))
    if (sizeOf(traces) <= maxNamedTree) {
      const named = await withDescendants(await store.findTraces(project, requested), requested)
      if (named.length <= maxMerged) {
        await deleteEach(project, [...unknown, ...named])
        return impossible + unknown.length + named.length
      }
    }
    if (unknown.length > 0) await deleteEach(project, unknown)
    return impossible + unknown.length + (await deleteLarge(project, requested, traces))
  }
}

function sizeOf(traces: readonly FoundTrace[]): number {
  return traces.reduce((sum, { calls }) => sum + calls, 0)
}
