import type { EnsureOps } from '../resources/objects/publish/ensure-ops.ts'
import { objectRef } from '../payload/object-ref.ts'
import type { CollectionRequest } from './collection.ts'

/** References to ops of the given names, under the same keys. An op that is not there is created with a placeholder for its source. */
export async function placeholderOps<Key extends string>(
  ensureOps: EnsureOps,
  { project, userId }: CollectionRequest,
  names: Record<Key, string>,
): Promise<Record<Key, string>> {
  const digests = await ensureOps(project, Object.values<string>(names), userId)
  const toRef = ([key, object_id]: [string, string]) => [
    key,
    objectRef(project, { kind: 'op', object_id, digest: digests.get(object_id) ?? '' }),
  ]
  return Object.fromEntries(Object.entries<string>(names).map(toRef)) as Record<Key, string>
}
