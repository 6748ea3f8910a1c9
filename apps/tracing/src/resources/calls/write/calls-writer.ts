import { type CallRow, type KeyedLock, type Micros, serverWork } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { createTimeSlices } from '@heddle/service-kit'
import type { CallChange } from './call-change.ts'
import { type EvaluationEnds, endedEvaluation } from './ended-evaluations.ts'
import type { OpenCallsCache } from '../cache/open-calls-cache.ts'
import { slicesOf } from '../../../slices-of.ts'
import type { CallPlace, CallsStore } from '../calls-store.ts'
import type { HybridClock } from './hybrid-clock.ts'
import type { EncodedCall, WrittenCall } from '../row/encoded-call.ts'
import { expiryAfter, mergeCall, type MergeStamp, tombstone } from './merge-call.ts'
import type { Retention } from '../../projects/retention.ts'

/** Changes of calls of one project. */
export interface ProjectChanges {
  project: ProjectScope
  changes: readonly CallChange[]
}

/** Calls that are deleted together. */
export interface CallsDeletion {
  ids: readonly string[]
  deleted_at: Micros
}

/** The one way in which calls are written. */
export interface CallsWriter {
  /**
   * Merges the changes of one request into their calls and stores the results as a whole. Resolves when they are durable and readable. When the
   * request aborts while it waits for another writer, nothing is written.
   */
  write(batch: readonly ProjectChanges[]): Promise<void>
  /**
   * The same for changes that follow from what is stored: `decide` reads while nobody else writes the calls with these ids. Its changes are of
   * those calls, or of new ones whose ids nobody knows. It must not write.
   */
  writeDecided(project: ProjectScope, ids: readonly string[], decide: () => Promise<readonly CallChange[]>): Promise<void>
  /**
   * Deletes calls, all or none, without reading what they hold: `findPlaces` reads where their latest versions are, while nobody else writes them.
   * Calls that it does not find stay.
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

/** What is written of a request, and which evaluation runs end with it. */
interface Merged {
  rows: WrittenCall[]
  ended: CallRow[]
}

/** Calls that are ended before others are served. */
const endedAtOnce = 2_000

/** Writers of one call wait for each other, so that each merge sees the version before it, also that of another server. */
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

  async function merge({ project, changes }: ProjectChanges): Promise<Merged> {
    const byId = groupById(changes)
    const [latest, retentionDays] = await Promise.all([latestOf(project, [...byId.keys()]), retention.daysOf(project)])
    const ended: CallRow[] = []
    const rows: WrittenCall[] = []
    const pace = createTimeSlices().begin()
    for (const [id, own] of byId) {
      const stored = latest.get(id)
      const stamp = { version: clock.next(stored?.version), retentionDays }
      const written = writtenOf({ project_id: project.id, id }, { stored, own, stamp })
      const last = written.at(-1)
      const evaluation = last && endedEvaluation(stored, last)
      if (evaluation) ended.push(evaluation)
      for (const row of written) rows.push(row)
      const turn = pace()
      if (turn) await turn
    }
    return { rows, ended }
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

  /** The evaluation runs that ended. */
  async function mergeAndAppend(batch: readonly ProjectChanges[]): Promise<CallRow[]> {
    const merged = await Promise.all(batch.map(merge))
    const rows = merged.flatMap((each) => each.rows)
    for (const { ended } of merged) if (ended.length > 0) await evaluationEnds.expect(ended)
    if (rows.length > 0) await append(rows)
    return merged.flatMap((each) => each.ended)
  }

  return {
    async write(batch) {
      const keys = batch.flatMap(({ project, changes }) => changes.map(({ id }) => lockKey(project, id)))
      await evaluationEnds.announce(await locks.withKeys(batch[0]?.project ?? serverWork, keys, () => mergeAndAppend(batch)))
    },

    async deletePlaces(project, { ids, deleted_at }, findPlaces) {
      const keys = ids.map((id) => lockKey(project, id))
      await locks.withKeys(project, keys, async () => {
        const rows: CallRow[] = []
        for await (const places of slicesOf(await findPlaces(), endedAtOnce)) {
          for (const { version, is_deleted, ...place } of places)
            if (is_deleted === 0)
              rows.push({ ...tombstone({ project_id: project.id, ...place }, deleted_at), version: clock.next(version) })
        }
        if (rows.length > 0) await append(rows)
      })
    },

    async writeDecided(project, ids, decide) {
      const keys = ids.map((id) => lockKey(project, id))
      await evaluationEnds.announce(await locks.withKeys(project, keys, async () => mergeAndAppend([{ project, changes: await decide() }])))
    },
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

/** The versions that the changes of one call write; the last is the newest. */
function writtenOf(key: { project_id: string; id: string }, { stored, own, stamp }: Merge): WrittenCall[] {
  const [first] = own
  if (stored === undefined && own.length === 1 && first?.kind === 'encoded') return [stamped(first.call, stamp)]
  const merged = mergeCall(key, stored, own, stamp)
  if (merged === undefined) return []
  return merged.moved === undefined ? [merged.row] : [merged.moved, merged.row]
}

/** A call that is the first of its id, so that there is nothing to merge. */
function stamped(call: EncodedCall, { version, retentionDays }: MergeStamp): EncodedCall {
  call.setVersion(version)
  call.setExpiry(expiryAfter(call.started_at, retentionDays))
  return call
}

function groupById(changes: readonly CallChange[]): Map<string, CallChange[]> {
  const byId = new Map<string, CallChange[]>()
  for (const change of changes) {
    const own = byId.get(change.id)
    if (own === undefined) byId.set(change.id, [change])
    else own.push(change)
  }
  return byId
}
