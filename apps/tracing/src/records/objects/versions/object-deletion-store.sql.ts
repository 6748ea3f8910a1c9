import { setImmediate } from 'node:timers/promises'
import type { Micros, ScopedDatabase, Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Transaction } from 'kysely'
import type { DeletionsStore } from '../../../deletions/deletions-store.ts'
import { moveTargets, recordMoves } from './alias-moves-store.sql.ts'
import type { StoredVersion } from '../objects-store.ts'
import type { DigestArgument } from './digest-argument.ts'
import { everyVersion } from './every-version.ts'
import { readHiddenUntil } from './hidden-versions-store.sql.ts'
import type { DeletedVersions, ObjectDeletionStore, ObjectsDeletion } from './object-deletion-store.ts'
import { lockLiveName } from './object-name-lock-store.sql.ts'
import { storable, toVersion } from './object-rows-store.sql.ts'
import { selectVersions } from './object-selection-store.sql.ts'
import { findCandidates } from './object-candidates-store.sql.ts'
import { pickVersion } from './pick-version.ts'
import { markSome } from './removed-versions-store.sql.ts'

export interface ObjectDeletionOptions {
  database: ScopedDatabase
  deletions: Pick<DeletionsStore, 'beginIn' | 'begun'>
  newId: () => string
  /** Versions that one step of a job marks: it may block the thread. Default 500. */
  removedAtOnce?: number | undefined
}

/** Versions that a request itself marks: it may block the thread. */
const maxMarkedAtOnce = 1_000
/** Versions that the result of a deletion names. */
const maxNamed = 10_000
/** Versions that one statement counts. */
const countedAtOnce = 50_000

const nothing: DeletedVersions = { count: 0, versions: [] }

export function sqlObjectDeletionStore({ database, deletions, newId, removedAtOnce = 500 }: ObjectDeletionOptions): ObjectDeletionStore {
  /** Hides all live versions of a locked name, and leaves them to a job. */
  async function hideAll(transaction: Transaction<Tables>, project: ProjectScope, { object_id, at, wb_user_id }: ObjectsDeletion) {
    const place = { project_id: project.id, object_id }
    const { count, newest } = await countLive(transaction, place)
    const versions = { kind: 'object_versions', object_id, last_version: newest, whole_traces: [], part_traces: [] } as const
    await deletions.beginIn(transaction, project, { ...versions, id: newId(), total: count, deleted_at: at })
    await takeAliases(transaction, place, null, { wb_user_id, at })
    await transaction.deleteFrom('object_latest').where('project_id', '=', project.id).where('object_id', '=', object_id).execute()
    return count
  }

  return {
    async delete(project, deletion) {
      const { object_id, wanted, at, wb_user_id } = deletion
      if (storable([object_id]).length === 0) return nothing
      const place = { project_id: project.id, object_id }
      let isHidden = false
      const deleted = await database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          if (!(await lockLiveName(transaction, project.id, object_id))) return nothing
          const chosen = wanted.length === 0 ? await findLive(transaction, place) : await chooseAll(transaction, place, wanted)
          if (chosen.length > maxMarkedAtOnce) {
            isHidden = true
            return { count: await hideAll(transaction, project, deletion), versions: chosen }
          }
          if (chosen.length > 0) await markDeleted(transaction, { ...place, chosen, at, wb_user_id })
          if (chosen.some(({ is_latest }) => is_latest === 1)) await moveLatest(transaction, place)
          return { count: chosen.length, versions: chosen }
        })
      if (isHidden) deletions.begun()
      return deleted
    },

    removeSome: (project, deletion) =>
      database
        .of(project)
        .transaction()
        .execute((transaction) => markSome(transaction, project.id, deletion, removedAtOnce)),
  }
}

interface NamedObject {
  project_id: string
  object_id: string
}

/** The live versions of a name, by index; those published first where they are more than are named. */
async function findLive(transaction: Transaction<Tables>, { project_id, object_id }: NamedObject): Promise<StoredVersion[]> {
  const versions = await selectVersions(transaction, project_id, {
    filter: { ...everyVersion, object_ids: [object_id] },
    sort_by: [{ field: 'created_at', direction: 'asc' }],
    limit: maxNamed,
    offset: 0,
  })
  return versions.sort(byIndex)
}

/** The wanted versions, by index; empty unless each argument means a different live version. */
async function chooseAll(
  transaction: Transaction<Tables>,
  place: NamedObject,
  wanted: readonly DigestArgument[],
): Promise<StoredVersion[]> {
  const { project_id, object_id } = place
  const candidates = await findCandidates(
    transaction,
    project_id,
    wanted.map((argument) => ({ object_id, argument })),
  )
  const live = candidates.map(toVersion).filter(({ deleted_at }) => deleted_at === null)
  const found = new Set(wanted.map((argument) => pickVersion(live, argument)))
  if (found.has(undefined) || found.size < wanted.length) return []
  return live.filter((version) => found.has(version)).sort(byIndex)
}

const byIndex = (one: StoredVersion, other: StoredVersion) =>
  one.version_index - other.version_index || (one.kind < other.kind ? -1 : Number(one.kind > other.kind))

/** How many live versions a name has, and when the newest of them was published. Other requests run between the steps. */
async function countLive(
  transaction: Transaction<Tables>,
  { project_id, object_id }: NamedObject,
): Promise<{ count: number; newest: Micros }> {
  let after = (await readHiddenUntil(transaction, project_id, [object_id])).get(object_id) ?? -1
  let count = 0
  const live = transaction
    .selectFrom('object_versions')
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('deleted_at', 'is', null)
  for (;;) {
    const later = live.where('created_at', '>', after)
    const end = await later
      .select('created_at')
      .orderBy('created_at')
      .limit(1)
      .offset(countedAtOnce - 1)
      .executeTakeFirst()
    const part = await later
      .$if(end !== undefined, (query) => query.where('created_at', '<=', end?.created_at ?? 0))
      .select((select) => [select.fn.countAll().as('count'), select.fn.max('created_at').as('newest')])
      .executeTakeFirstOrThrow()
    count += Number(part.count)
    after = Math.max(after, Number(part.newest ?? 0))
    if (end === undefined) return { count, newest: after }
    await setImmediate()
  }
}

interface DeletionMark extends NamedObject {
  chosen: readonly StoredVersion[]
  at: Micros
  wb_user_id: string
}

async function markDeleted(
  transaction: Transaction<Tables>,
  { project_id, object_id, chosen, at, wb_user_id }: DeletionMark,
): Promise<void> {
  const digests = [...new Set(chosen.map(({ digest }) => digest))]
  await transaction
    .updateTable('object_versions')
    .set({ deleted_at: at })
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('digest', 'in', digests)
    .where('deleted_at', 'is', null)
    .execute()
  await transaction
    .deleteFrom('object_tags')
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('digest', 'in', digests)
    .execute()
  await takeAliases(transaction, { project_id, object_id }, digests, { wb_user_id, at })
}

/** Removes the aliases of these digests of a name; null: all of the name, of which there are at most 1,000. */
async function takeAliases(
  transaction: Transaction<Tables>,
  { project_id, object_id }: NamedObject,
  digests: readonly string[] | null,
  author: { wb_user_id: string; at: Micros },
): Promise<void> {
  const removed = await transaction
    .deleteFrom('object_aliases')
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .$if(digests !== null, (query) => query.where('digest', 'in', [...(digests ?? [])]))
    .returning(['alias', 'digest'])
    .execute()
  await recordMoves(transaction, { project_id, object_id }, moveTargets(removed, undefined), author)
}

/** Points `latest` to the live version published last, or to nothing if there is none. */
async function moveLatest(transaction: Transaction<Tables>, { project_id, object_id }: NamedObject): Promise<void> {
  const hiddenUntil = (await readHiddenUntil(transaction, project_id, [object_id])).get(object_id) ?? -1
  const survivor = await transaction
    .selectFrom('object_versions')
    .select(['kind', 'digest'])
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('deleted_at', 'is', null)
    .where('created_at', '>', hiddenUntil)
    .orderBy('created_at', 'desc')
    .orderBy('digest', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (survivor === undefined) {
    await transaction.deleteFrom('object_latest').where('project_id', '=', project_id).where('object_id', '=', object_id).execute()
  } else {
    await transaction
      .updateTable('object_latest')
      .set(survivor)
      .where('project_id', '=', project_id)
      .where('object_id', '=', object_id)
      .execute()
  }
}
