import { emptyRow, feedbackTable, type FeedbackRow, type KeyedLock, type Micros, serverWork, type WorkScope } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { timeSlices } from '@heddle/service-kit'
import type { FeedbackWithoutPayload, FeedbackStore } from '../feedback-store.ts'
import type { FeedbackDraft } from './prepare-feedback.ts'

/** A feedback to store in a project that was opened for it. */
export interface NewFeedback {
  project: ProjectScope
  draft: FeedbackDraft
  wb_user_id: string
}

/** The one way in which feedback is written. Everything is durable and readable when a promise resolves. */
export interface FeedbackWriter {
  /** Stores the feedback of one request, all or none. Answers the stored rows in order; an id that is there already keeps its row. */
  create(batch: readonly NewFeedback[]): Promise<FeedbackRow[]>
  /** Deletes the rows with these ids; unknown ones are ignored, and those above `lastVersion`, if there is one. */
  purge(project: ProjectScope, ids: readonly string[], options?: { lastVersion?: bigint }): Promise<void>
  /** Deletes one and stores another, as one step. */
  replace(feedbackId: string, replacement: NewFeedback): Promise<FeedbackRow>
}

/** Called once feedback is stored, without already existing rows, and with the rows that it replaced before these ended. Must not reject. */
export type OnFeedbackStored = (stored: readonly FeedbackRow[], replaced: readonly FeedbackRow[]) => Promise<void>

interface FeedbackWriterDeps {
  store: FeedbackStore
  locks: KeyedLock
  clock: () => Micros
  /** Ids that sort by the time of their making. */
  newId: () => string
  onStored: OnFeedbackStored
}

/** Writers of one id wait for each other, so that only one of a request and its repetition stores. */
export function createFeedbackWriter({ store, locks, clock, newId, onStored }: FeedbackWriterDeps): FeedbackWriter {
  const nextTime = createRisingClock(clock)
  const withIds = <T>(scope: WorkScope, ids: readonly string[], work: () => Promise<T>) =>
    locks.withKeys(
      scope,
      ids.map((id) => `feedback\0${id}`),
      work,
    )

  /** The stored rows with the ids of the drafts. */
  async function findGiven(batch: readonly NewFeedback[]): Promise<FeedbackRow[]> {
    const byProject = new Map<string, { project: ProjectScope; ids: string[] }>()
    for (const { project, draft } of batch) {
      if (draft.id === null) continue
      const known = byProject.get(project.id)
      if (known) known.ids.push(draft.id)
      else byProject.set(project.id, { project, ids: [draft.id] })
    }
    const found = await Promise.all([...byProject.values()].map(({ project, ids }) => store.findLatest(project, ids)))
    return found.flat()
  }

  /** The rows of a batch, and those of them that are not stored yet. `ended`: rows that the same step ends. */
  async function toRows(batch: readonly NewFeedback[], ended: readonly FeedbackRow[]) {
    const latest = [...(await findGiven(batch)), ...ended]
    const isEnded = new Set(ended.map(placeOf))
    const known = new Map(latest.filter((row) => row.is_deleted === 0 && !isEnded.has(placeOf(row))).map((row) => [idOf(row), row]))
    const versions = versionsOf(latest)
    const added: FeedbackRow[] = []
    const rows: FeedbackRow[] = []
    const pace = timeSlices.begin()
    for (const { draft, wb_user_id } of batch) {
      const turn = pace()
      if (turn) await turn
      const id = draft.id ?? newId()
      const stored = known.get(idOf({ ...draft, id }))
      if (stored !== undefined) {
        rows.push(stored)
        continue
      }
      const row = {
        ...draft,
        id,
        wb_user_id,
        created_at: nextTime(),
        version: versionAfter(versions.get(placeOf({ ...draft, id }))),
        is_deleted: 0,
      }
      known.set(idOf(row), row)
      added.push(row)
      rows.push(row)
    }
    return { rows, added }
  }

  /** A version above the latest stored one of an id on a target, so that the new row is the one that counts. */
  function versionAfter(latest: bigint | undefined): bigint {
    const now = BigInt(clock())
    return latest === undefined || latest < now ? now : latest + 1n
  }

  const ending = (row: FeedbackWithoutPayload): FeedbackRow => ({ ...tombstoneOf(row), version: versionAfter(row.version) })
  const isLive = ({ is_deleted }: FeedbackWithoutPayload) => is_deleted === 0

  return {
    async create(batch) {
      const given = batch.flatMap(({ draft }) => (draft.id === null ? [] : [idOf({ ...draft, id: draft.id })]))
      const { rows, added } = await withIds(batch[0]?.project ?? serverWork, given, async () => {
        const made = await toRows(batch, [])
        await store.append(made.added)
        return made
      })
      await onStored(added, [])
      return rows
    },

    purge(project, ids, { lastVersion } = {}) {
      return withIds(
        project,
        ids.map((id) => idOf({ project_id: project.id, id })),
        async () => {
          const live = await store.findLive(project, ids)
          await store.append(live.filter(({ version }) => lastVersion === undefined || version <= lastVersion).map(ending))
        },
      )
    },

    async replace(feedbackId, replacement) {
      const { project, draft } = replacement
      const ids = draft.id === null ? [feedbackId] : [feedbackId, draft.id]
      const { rows, added, replaced } = await withIds(
        project,
        ids.map((id) => idOf({ project_id: project.id, id })),
        async () => {
          const live = (await store.findLatest(project, [feedbackId])).filter(isLive)
          const ended = live.map(ending)
          const made = await toRows([replacement], ended)
          await store.append([...ended, ...made.added])
          return { ...made, replaced: live }
        },
      )
      await onStored(added, replaced)
      const [row] = rows
      if (row === undefined) throw new Error(`feedback ${feedbackId} was not replaced`)
      return row
    },
  }
}

type Place = Pick<FeedbackRow, 'project_id' | 'weave_ref' | 'id'>

const noContent: FeedbackRow = { ...emptyRow(feedbackTable), payload: '{}', is_deleted: 1 }

/** What remains of purged feedback: nothing of its content and its author. */
function tombstoneOf({ project_id, weave_ref, id, created_at, feedback_type, trigger_ref }: FeedbackWithoutPayload): FeedbackRow {
  return { ...noContent, project_id, weave_ref, id, created_at, feedback_type, trigger_ref }
}

function idOf({ project_id, id }: Pick<FeedbackRow, 'project_id' | 'id'>): string {
  return `${project_id}\0${id}`
}

function placeOf({ project_id, weave_ref, id }: Place): string {
  return `${project_id}\0${weave_ref}\0${id}`
}

/** The latest version of each id on each target. */
function versionsOf(rows: readonly FeedbackRow[]): Map<string, bigint> {
  const versions = new Map<string, bigint>()
  for (const row of rows) {
    const known = versions.get(placeOf(row))
    if (known === undefined || known < row.version) versions.set(placeOf(row), row.version)
  }
  return versions
}

/** A clock that pauses or is set back by up to a second is ignored. */
const rewindMicros = 1_000_000

/** Times of which none is given twice, so that the order of creation is one; a clock that was set back further is followed. */
function createRisingClock(clock: () => Micros): () => Micros {
  let last = 0
  return () => {
    const now = clock()
    last = now > last || now < last - rewindMicros ? now : last + 1
    return last
  }
}
