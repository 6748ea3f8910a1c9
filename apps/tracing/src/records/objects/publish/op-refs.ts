import type { ProjectScope } from '@heddle/identity'
import { objectRef } from '../../../payload/object-ref.ts'
import type { EnsureOps } from './ensure-ops.ts'

/** References to the latest versions of ops, in order. An op that is not there is created with a placeholder for its source. */
export async function opRefs(
  ensureOps: EnsureOps,
  { project, userId }: { project: ProjectScope; userId: string },
  names: readonly string[],
): Promise<string[]> {
  const digests = await ensureOps(project, names, userId)
  return names.map((object_id) => objectRef(project, { kind: 'op', object_id, digest: digests.get(object_id) ?? '' }))
}
