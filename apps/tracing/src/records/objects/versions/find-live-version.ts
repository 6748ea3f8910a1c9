import { formatTimestamp } from '@heddle/core-api'
import { notFound } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { parseDigestArgument } from './digest-argument.ts'
import type { ObjectsStore, StoredVersion } from '../objects-store.ts'

/**
 * The live version that a request names by its digest, `latest`, `v<index>` or an alias.
 * @throws 404 if there is none; with `deleted_at` if it was deleted.
 */
export async function findLiveVersion(
  objects: ObjectsStore,
  project: ProjectScope,
  { object_id, digest }: { object_id: string; digest: string },
): Promise<StoredVersion> {
  const [version] = await objects.findVersions(project, [{ object_id, argument: parseDigestArgument(digest) }])
  if (version === undefined) throw notFound(`Obj ${object_id}:${digest} not found`)
  if (version.deleted_at !== null) {
    const deleted_at = formatTimestamp(version.deleted_at)
    throw notFound(`${object_id}:v${version.version_index} was deleted at ${deleted_at}`, { deleted_at })
  }
  return version
}
