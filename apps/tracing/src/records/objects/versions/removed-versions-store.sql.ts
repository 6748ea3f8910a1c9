import type { Tables } from '@heddle/datastore'
import type { Transaction } from 'kysely'
import type { Deletion } from '../../../deletions/deletions-store.ts'
import type { RemovalProgress } from '../../../deletions/removal-job.ts'

/** Tags of one transaction, which may block the thread: each version may have 1,000. */
const tagsAtOnce = 2_000

/**
 * Marks versions that a deletion hides as deleted, at most `limit`, once their tags are removed. Each statement finds its rows itself, so that a
 * version restored meanwhile, with a later time, keeps its new tags.
 */
export async function markSome(
  transaction: Transaction<Tables>,
  project_id: string,
  deletion: Deletion,
  limit: number,
): Promise<RemovalProgress> {
  const { object_id, last_version, deleted_at } = deletion
  if (object_id === null) return { removed: 0, isDone: true }
  const tags = await removeTags(transaction, { project_id, object_id, last_version })
  if (tags === tagsAtOnce) return { removed: 0, isDone: false }
  const hidden = transaction
    .selectFrom('object_versions')
    .select(['kind', 'digest'])
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('deleted_at', 'is', null)
    .where('created_at', '<=', last_version)
    .orderBy('created_at')
    .limit(limit)
  const { numUpdatedRows } = await transaction
    .updateTable('object_versions')
    .set({ deleted_at })
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('deleted_at', 'is', null)
    .where('created_at', '<=', last_version)
    .where(({ eb, refTuple }) => eb(refTuple('kind', 'digest'), 'in', hidden.$asTuple('kind', 'digest')))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) return { removed: Number(numUpdatedRows), isDone: false }
  return { removed: 0, isDone: (await hidden.executeTakeFirst()) === undefined }
}

interface HiddenVersions {
  project_id: string
  object_id: string
  last_version: number
}

/** Removes tags of hidden versions, and answers how many. */
async function removeTags(transaction: Transaction<Tables>, { project_id, object_id, last_version }: HiddenVersions): Promise<number> {
  const ofHidden = transaction
    .selectFrom('object_tags as label')
    .select(['label.digest', 'label.tag'])
    .where('label.project_id', '=', project_id)
    .where('label.object_id', '=', object_id)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('object_versions as version')
          .select('version.digest')
          .where('version.project_id', '=', project_id)
          .where('version.object_id', '=', object_id)
          .whereRef('version.digest', '=', 'label.digest')
          .where('version.deleted_at', 'is', null)
          .where('version.created_at', '<=', last_version),
      ),
    )
    .limit(tagsAtOnce)
  const { numDeletedRows } = await transaction
    .deleteFrom('object_tags')
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where(({ eb, refTuple }) => eb(refTuple('digest', 'tag'), 'in', ofHidden.$asTuple('digest', 'tag')))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
