import type { Micros } from '@heddle/core-api'
import { type Caller, mayUse } from './caller.ts'
import type { IdentityStore, StoredKey } from './identity-store.ts'
import type { ProjectName } from './project/project-id.ts'

/** Whose project it is, and what ends the look-up. */
export type MembersOf = ProjectName & { signal?: AbortSignal | undefined }

export interface ProjectMembers {
  /**
   * Users of keys that may read the project now, each once, in the order of their names. With a caller, whose access to the project was checked, only those
   * of keys that reach no further than its own: the users of other projects are not shown.
   */
  listMembers(project: MembersOf, caller?: Caller): Promise<string[]>
}

export function createProjectMembers(store: Pick<IdentityStore, 'listKeysOf'>, clock: () => Micros): ProjectMembers {
  return {
    async listMembers({ id, entity, signal }, caller) {
      const keys = await store.listKeysOf(entity, clock(), signal)
      const reading = keys.filter((key) => mayUse(key, { id, entity }, 'read') && (caller === undefined || isWithinReach(caller, key)))
      return [...new Set(reading.map(({ user_id }) => user_id))].toSorted((one, other) => one.localeCompare(other))
    },
  }
}

/** Whether a key reaches no further than that of the caller, whatever their roles are. */
function isWithinReach({ access }: Caller, key: Pick<StoredKey, 'entity' | 'projects'>): boolean {
  if (access.entity !== '*' && key.entity !== access.entity) return false
  if (access.projects.length === 0) return true
  const reached = new Set(access.projects.map(({ project_id }) => project_id))
  return key.projects.length > 0 && key.projects.every(({ project_id }) => reached.has(project_id))
}
