import { badRequest, notFound } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { parseDigestArgument } from './digest-argument.ts'
import type { DeletedVersions, ObjectDeletionStore } from './object-deletion-store.ts'

const maxDeleted = 100

interface VersionsDeletion {
  object_id: string
  /** Digests, `latest` or `v<index>`. Empty: all live versions. */
  digests: readonly string[]
  at: Micros
  /** Who deletes them. */
  wb_user_id: string
}

/**
 * Deletes all of the named versions or none, and returns them as they were; if there are more than 10,000, those published first.
 * @throws 400 for more than 100 digests, 429 if 100 deletions of objects of the project have not ended, 404 if there is nothing to delete or one of
 * them is not a live version.
 */
export async function deleteVersions(
  store: Pick<ObjectDeletionStore, 'delete'>,
  project: ProjectScope,
  { object_id, digests, at, wb_user_id }: VersionsDeletion,
): Promise<DeletedVersions> {
  // A list in the address of a request has no maximum by itself.
  if (digests.length > maxDeleted)
    throw badRequest(`digests has ${digests.length} entries; at most ${maxDeleted} versions are deleted at a time`)
  const given = [...new Set(digests)]
  const deleted = await store.delete(project, { object_id, wanted: given.map(parseDigestArgument), at, wb_user_id })
  if (deleted.count === 0) throw nothingToDelete(object_id, given)
  return deleted
}

function nothingToDelete(object_id: string, digests: readonly string[]) {
  if (digests.length === 0) return notFound(`Obj ${object_id} not found: it has no live version to delete`)
  const shown = digests.length > 5 ? `${digests.slice(0, 5).join(', ')}, …` : digests.join(', ')
  return notFound(`Obj ${object_id}: some of ${shown} are not live versions, or name the same version twice; nothing was deleted`)
}
