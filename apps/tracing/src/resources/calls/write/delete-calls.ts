import { setTimeout as delay } from 'node:timers/promises'
import { tooLarge } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { type JobHandler, type Jobs } from '@heddle/jobs'
import type { CallsStore } from '../calls-store.ts'
import type { CallsWriter } from './calls-writer.ts'
import { callIdProblem } from './check-call.ts'
import { withDescendants } from './descendants.ts'

/** Jobs that delete the calls of large deletions. */
export const deleteCallsKind = 'delete_calls'

const maxDeletedIds = 1000
/** Up to so many calls are merged with what is stored of them, as all other changes are. */
const maxMerged = 2_000
/** Attempts of a job, those counted that a crash ended. */
const maxAttempts = 20
/** How long a request waits for its job. */
const longestWaitMs = 40_000
const waitStepMs = 50

/**
 * Deletes calls with everything below them. Resolves to the number of distinct ids given plus that of the live calls below them; to 0 where none of
 * the ids is a live call. Calls above `deletedAtOnce` are deleted by a job, which continues after a crash; this resolves when it has ended, or after 40
 * seconds.
 * @throws ApiError 413 above 1000 ids, and above 2,000,000 calls in their traces.
 */
export type DeleteCalls = (project: ProjectScope, ids: readonly string[]) => Promise<number>

interface DeleteCallsDeps {
  store: Pick<CallsStore, 'findTraces' | 'findPlaces' | 'countTraces'>
  writer: Pick<CallsWriter, 'write' | 'deletePlaces'>
  jobs: Pick<Jobs, 'enqueue' | 'get'>
  clock: () => Micros
  /** Calls that are deleted together: readers see all of them, or none. More are deleted by a job, in parts of as many. */
  deletedAtOnce: number
}

/** What a job deletes. */
interface DeletionPayload {
  call_ids: string[]
  deleted_at: Micros
}

/** A deletion of calls, and the job that continues it. */
export interface CallsDeletions {
  deleteCalls: DeleteCalls
  jobKinds: Record<string, JobHandler>
}

export function createCallsDeletions({ store, writer, jobs, clock, deletedAtOnce }: DeleteCallsDeps): CallsDeletions {
  /** An id that no call has yet is deleted as well: what arrives late for it does not bring it back. */
  const deleteEach = (project: ProjectScope, ids: readonly string[], deleted_at: Micros) =>
    writer.write([{ project, changes: ids.map((id) => ({ kind: 'delete', id, deleted_at })) }])

  /**
   * Deletes live calls from the last to the first, in parts, and so each after those below it: what a crash leaves is still found below the given ids.
   */
  async function deleteParts(
    project: ProjectScope,
    { live, requested, deleted_at }: { live: readonly string[]; requested: readonly string[]; deleted_at: Micros },
    onPart: (deleted: number) => void = () => {},
  ): Promise<void> {
    const traces = (await store.countTraces(project, requested)).map(({ trace_id }) => trace_id)
    for (let end = live.length; end > 0; end -= deletedAtOnce) {
      const ids = live.slice(Math.max(0, end - deletedAtOnce), end)
      await writer.deletePlaces(project, { ids, deleted_at }, () => store.findPlaces(project, traces, new Set(ids)))
      onPart(live.length - Math.max(0, end - deletedAtOnce))
    }
  }

  async function deleteByJob(project: ProjectScope, payload: DeletionPayload): Promise<void> {
    const { job } = await jobs.enqueue(project, { kind: deleteCallsKind, payload, maxAttempts })
    for (let waitedMs = 0; waitedMs < longestWaitMs; waitedMs += waitStepMs) {
      await delay(waitStepMs, undefined, project.signal && { signal: project.signal })
      const found = await jobs.get(project, job.id)
      if (found?.state === 'failed') throw new Error(`the deletion of calls failed: ${found.error}`)
      if (found === undefined || found.endedAt !== null) return
    }
  }

  const runDeletion: JobHandler = async ({ project, payload }, { progress, signal }) => {
    const { call_ids: requested, deleted_at } = payload as DeletionPayload
    const live = await withDescendants(await store.findTraces(project, requested), requested)
    const total = live.length
    progress(0, { deleted: 0, total })
    await deleteParts(project, { live, requested, deleted_at }, (deleted) => {
      signal.throwIfAborted()
      progress(deleted / total, { deleted, total })
    })
    return { deleted: total }
  }

  return {
    async deleteCalls(project, given) {
      if (given.length > maxDeletedIds) throw tooLarge()
      const requested = [...new Set(given)]
      const live = await withDescendants(await store.findTraces(project, requested), requested)
      if (live.length === 0) return 0
      const deleted_at = clock()
      const isLive = new Set(live)
      const unknown = requested.filter((id) => !isLive.has(id))
      if (live.length <= maxMerged) await deleteEach(project, [...unknown, ...live], deleted_at)
      else {
        if (unknown.length > 0) await deleteEach(project, unknown, deleted_at)
        const isSmall = live.length <= deletedAtOnce
        await (isSmall
          ? deleteParts(project, { live, requested, deleted_at })
          : deleteByJob(project, { call_ids: requested.filter((id) => callIdProblem(id) === undefined), deleted_at }))
      }
      return unknown.length + live.length
    },
    jobKinds: { [deleteCallsKind]: runDeletion },
  }
}
