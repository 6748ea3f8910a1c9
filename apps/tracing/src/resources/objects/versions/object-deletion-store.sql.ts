import type { Tables } from '@heddle/datastore'
import type { Transaction } from 'kysely'
import { moveTargets, recordMoves } from '../labels/alias-moves-store.sql.ts'
import type { DigestArgument } from './digest-argument.ts'
import { lockLiveName } from './object-name-lock-store.sql.ts'
import { toVersion, versionsOf } from './object-rows-store.sql.ts'
import type { ObjectsDeletion, StoredVersion } from '../objects-store.ts'
import { pickVersion } from './pick-version.ts'

/** Digests in one statement. */
const digestsAtOnce = 500

/** Deletes the wanted versions in one transaction, all or none, and answers them as they were, by index. */
export async function deleteIn(
  transaction: Transaction<Tables>,
  project_id: string,
  { object_id, wanted, at, wb_user_id }: ObjectsDeletion,
): Promise<StoredVersion[]> {
  if (!(await lockLiveName(transaction, project_id, object_id))) return []
  const rows = await versionsOf(transaction, project_id)
    .where('version.object_id', '=', object_id)
    .where('version.deleted_at', 'is', null)
    .orderBy('version.version_index')
    .orderBy('version.kind')
    .execute()
  const live = rows.map(toVersion)
  const chosen = wanted.length === 0 ? live : chooseAll(live, wanted)
  for (let start = 0; start < chosen.length; start += digestsAtOnce) {
    const digests = chosen.slice(start, start + digestsAtOnce).map(({ digest }) => digest)
    await markDeleted(transaction, { project_id, object_id, digests, at, wb_user_id })
  }
  if (chosen.some(({ is_latest }) => is_latest === 1)) await moveLatest(transaction, project_id, object_id)
  return chosen
}

/** The wanted versions in the order of `live`; none unless each argument means a version of its own. */
function chooseAll(live: readonly StoredVersion[], wanted: readonly DigestArgument[]): StoredVersion[] {
  const found = new Set(wanted.map((argument) => pickVersion(live, argument)))
  if (found.has(undefined) || found.size < wanted.length) return []
  return live.filter((version) => found.has(version))
}

interface Marked {
  project_id: string
  object_id: string
  digests: readonly string[]
  at: number
  wb_user_id: string
}

async function markDeleted(transaction: Transaction<Tables>, { project_id, object_id, digests, at, wb_user_id }: Marked): Promise<void> {
  await transaction
    .updateTable('object_versions')
    .set({ deleted_at: at })
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('digest', 'in', [...digests])
    .where('deleted_at', 'is', null)
    .execute()
  await transaction
    .deleteFrom('object_tags')
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('digest', 'in', [...digests])
    .execute()
  const removed = await transaction
    .deleteFrom('object_aliases')
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('digest', 'in', [...digests])
    .returning(['alias', 'digest'])
    .execute()
  await recordMoves(transaction, { project_id, object_id }, moveTargets(removed, undefined), { wb_user_id, at })
}

/** Points `latest` to the version published last of those that live, and to nothing where none does. */
async function moveLatest(transaction: Transaction<Tables>, project_id: string, object_id: string): Promise<void> {
  const survivor = await transaction
    .selectFrom('object_versions')
    .select(['kind', 'digest'])
    .where('project_id', '=', project_id)
    .where('object_id', '=', object_id)
    .where('deleted_at', 'is', null)
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
