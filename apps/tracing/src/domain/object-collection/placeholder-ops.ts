import type { EnsureOps } from '../../records/objects/publish/ensure-ops.ts'
import { opRefs } from '../../records/objects/publish/op-refs.ts'
import type { CollectionRequest } from './collection.ts'

/** References to ops of the given names, under the same keys. An op that is not there is created with a placeholder for its source. */
export async function placeholderOps<Key extends string>(
  ensureOps: EnsureOps,
  request: CollectionRequest,
  names: Record<Key, string>,
): Promise<Record<Key, string>> {
  const refs = await opRefs(ensureOps, request, Object.values<string>(names))
  return Object.fromEntries(Object.keys(names).map((key, at) => [key, refs[at]])) as Record<Key, string>
}
