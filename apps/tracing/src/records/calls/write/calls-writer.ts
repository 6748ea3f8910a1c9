import { type CallRow, invariant, type KeyedLock, type Micros, serverWork } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { runInSlices, type Steps } from '@heddle/service-kit'
import type { CallChange } from './call-change.ts'
import { type EvaluationEnds, endedEvaluation } from './ended-evaluations.ts'
import type { OpenCallsCache } from '../cache/open-calls-cache.ts'
import { groupBy } from '../../../group-by.ts'
import { slicesOf } from '../../../slices-of.ts'
import type { CallPlace, CallsStore } from '../calls-store.ts'
import type { HybridClock } from './hybrid-clock.ts'
import { EncodedCall, type WrittenCall } from '../row/encoded-call.ts'
import { expiryAfter, mergeCall, type MergeStamp, tombstone } from './merge-call.ts'
import { conflictError, sortByTrace, type TraceConflict } from './trace-conflicts.ts'
import type { Retention } from '../retention/retention.ts'

/** Changes of calls of one project. */
export interface ProjectChanges {
  project: ProjectScope
  changes: readonly CallChange[]
  /** Location of each change's record in the request, as in `Issue`; absent if the request has one record. */
  locs?: readonly (string | number)[][]
}

/** Calls that are deleted together. */
export interface CallsDeletion {
  ids: readonly string[]
  deleted_at: Micros
}

/** All writes of calls go through it. */
export interface CallsWriter {
  /**
   * Merges the changes of one request into their calls and stores the results as a whole. Resolves when they are durable and readable. When the
   * request aborts while it waits for another writer, nothing is written.
   * @throws ApiError 422 that names the items, or 409, if a call of another trace has the id of a change; then nothing is written
   */
  write(batch: readonly ProjectChanges[]): Promise<void>
  /**
   * Like `write`, for spans and log records. Skips those whose id belongs to a call of another trace, and resolves to them.
   */
  writeSpans(batch: readonly ProjectChanges[]): Promise<TraceConflict[]>
  /**
   * Read-modify-write: like `write`, for the changes that `decide` derives from stored data. No other writer changes the calls with these ids
   * meanwhile. `decide` must not write, and may change only these calls, or create ones with new ids.
   */
  readModifyWrite(project: ProjectScope, ids: readonly string[], decide: () => Promise<readonly CallChange[]>): Promise<void>
  /**
   * Deletes calls, all or none, without reading their content: `findPlaces` reads the positions of their latest versions under the locks of these
   * calls. Those that it does not find are not deleted.
   */
  deletePlaces(project: ProjectScope, deletion: CallsDeletion, findPlaces: () => Promise<readonly CallPlace[]>): Promise<void>
}

interface CallsWriterDeps {
  store: CallsStore
  locks: KeyedLock
  clock: HybridClock
  openCalls: OpenCallsCache
  retention: Pick<Retention, 'daysOf'>
  evaluationEnds: EvaluationEnds
}

/** The rows to write for a request, and the evaluation runs that end with it. */
interface MergeResult {
  rows: WrittenCall[]
  ended: CallRow[]
  conflicts: TraceConflict[]
}

/** Tombstones created before yielding to the event loop. */
const tombstonesPerSlice = 2_000

/** Serializes the writes of each call by a lock, which other servers respect too, so that every merge starts from the latest version. */
export function createCallsWriter({ store, locks, clock, openCalls, retention, evaluationEnds }: CallsWriterDeps): CallsWriter {
  async function latestOf(project: ProjectScope, ids: readonly string[]): Promise<Map<string, CallRow>> {
    const latest = new Map<string, CallRow>()
    const missing: string[] = []
    for (const id of ids) {
      const cached = openCalls.get(project.id, id)
      if (cached === 'unknown') missing.push(id)
      else if (cached !== 'none') latest.set(id, cached)
    }
    for (const row of await store.findLatest(project, missing)) latest.set(row.id, row)
    return latest
  }

  async function merge(projectChanges: ProjectChanges): Promise<MergeResult> {
    const { project, changes } = projectChanges
    const byId = groupBy(changes, ({ id }) => id)
    const [latest, retentionDays] = await Promise.all([latestOf(project, [...byId.keys()]), retention.daysOf(project)])
    return runInSlices(mergeEach(projectChanges, byId, { latest, retentionDays }))
  }

  function* mergeEach(
    { project, changes, locs }: ProjectChanges,
    byId: ReadonlyMap<string, CallChange[]>,
    { latest, retentionDays }: { latest: ReadonlyMap<string, CallRow>; retentionDays: number | null },
  ): Steps<MergeResult> {
    const ended: CallRow[] = []
    const rows: WrittenCall[] = []
    const conflicts: TraceConflict[] = []
    const indexes = new Map(changes.map((change, index) => [change, index]))
    for (const [id, all] of byId) {
      const stored = latest.get(id)
      const { own, others } = sortByTrace(stored, all)
      for (const { change, ...traces } of others)
        conflicts.push({ project_id: project.id, id, ...traces, loc: locs?.[indexes.get(change) ?? -1] })
      if (own.length === 0) continue
      const stamp = { version: clock.next(stored?.version), retentionDays }
      const written = yield* versionsOf({ project_id: project.id, id }, { stored, own, stamp })
      checkWritten({ project_id: project.id, id }, written, stored?.version)
      const last = written.at(-1)
      const evaluation = last && endedEvaluation(stored, last)
      if (evaluation) ended.push(evaluation)
      for (const row of written) rows.push(row)
      yield
    }
    return { rows, ended, conflicts }
  }

  async function append(rows: readonly WrittenCall[]): Promise<void> {
    openCalls.announce(rows)
    try {
      await store.append(rows)
    } catch (error) {
      openCalls.rollback(rows)
      throw error
    }
    openCalls.commit(rows)
  }

  /** Resolves to the evaluation runs that ended, and to the changes that were not written. */
  async function mergeAndAppend(batch: readonly ProjectChanges[], { isWhole }: { isWhole: boolean }): Promise<Omit<MergeResult, 'rows'>> {
    const merged = await Promise.all(batch.map(merge))
    const conflicts = merged.flatMap((each) => each.conflicts)
    const [first, ...others] = conflicts
    if (isWhole && first !== undefined) throw conflictError([first, ...others])
    const rows = merged.flatMap((each) => each.rows)
    for (const { ended } of merged) if (ended.length > 0) await evaluationEnds.expect(ended)
    if (rows.length > 0) await append(rows)
    return { ended: merged.flatMap((each) => each.ended), conflicts }
  }

  async function writeBatch(batch: readonly ProjectChanges[], options: { isWhole: boolean }): Promise<TraceConflict[]> {
    const keys = batch.flatMap(({ project, changes }) => changes.map(({ id }) => lockKey(project, id)))
    const written = await locks.withKeys(batch[0]?.project ?? serverWork, keys, () => mergeAndAppend(batch, options))
    await evaluationEnds.announce(written.ended)
    return written.conflicts
  }

  return {
    async write(batch) {
      await writeBatch(batch, { isWhole: true })
    },

    writeSpans: (batch) => writeBatch(batch, { isWhole: false }),

    async deletePlaces(project, { ids, deleted_at }, findPlaces) {
      const keys = ids.map((id) => lockKey(project, id))
      const locked = new Set(ids)
      await locks.withKeys(project, keys, async () => {
        const rows: CallRow[] = []
        for await (const places of slicesOf(await findPlaces(), tombstonesPerSlice)) {
          for (const { version, is_deleted, ...place } of places) {
            invariant(locked.has(place.id), 'calls.deletes-are-of-the-request', () => `call ${place.id} of ${project.id}`)
            if (is_deleted === 0)
              rows.push({ ...tombstone({ project_id: project.id, ...place }, deleted_at), version: clock.next(version) })
          }
        }
        if (rows.length > 0) await append(rows)
      })
    },

    async readModifyWrite(project, ids, decide) {
      const keys = ids.map((id) => lockKey(project, id))
      const { ended } = await locks.withKeys(project, keys, async () =>
        mergeAndAppend([{ project, changes: await decide() }], { isWhole: true }),
      )
      await evaluationEnds.announce(ended)
    },
  }
}

/** Asserts that the versions to store are those of the call, and higher than the stored one. */
function checkWritten(key: { project_id: string; id: string }, written: readonly WrittenCall[], stored: bigint | undefined): void {
  for (const row of written) {
    const hasKey = row.project_id === key.project_id && row.id === key.id
    invariant(hasKey, 'calls.merges-keep-their-key', () => `${row.id} of ${row.project_id} instead of ${key.id} of ${key.project_id}`)
    const isNewer = stored === undefined || row instanceof EncodedCall || row.version > stored
    invariant(isNewer, 'calls.versions-rise', () => `call ${key.id} of ${key.project_id} after version ${stored}`)
  }
}

function lockKey(project: ProjectScope, id: string): string {
  return `${project.id}\0${id}`
}

interface Merge {
  stored: CallRow | undefined
  own: readonly CallChange[]
  stamp: MergeStamp
}

/** The versions to store after the changes of one call, the newest last. */
function* versionsOf(key: { project_id: string; id: string }, { stored, own, stamp }: Merge): Steps<WrittenCall[]> {
  const [first] = own
  if (stored === undefined && own.length === 1 && first?.kind === 'encoded') return [withStamp(first.call, stamp)]
  const merged = yield* mergeCall(key, stored, own, stamp)
  if (merged === undefined) return []
  return merged.moved === undefined ? [merged.row] : [merged.moved, merged.row]
}

/** Sets version and expiry of a call that is the first with its id: there is nothing to merge. */
function withStamp(call: EncodedCall, { version, retentionDays }: MergeStamp): EncodedCall {
  call.setVersion(version)
  call.setExpiry(expiryAfter(call.started_at, retentionDays))
  return call
}
