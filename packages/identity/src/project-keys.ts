import { ApiError, type Effect, type Micros } from '@heddle/core-api'
import { badRequest, forbidden, notFound } from '@heddle/core-api/internal'
import type { KeyRecording } from '@heddle/core-api/types'
import { type Caller, isOperator, mayUse, roleIn } from './caller.ts'
import type { IdentityStore, StoredKey } from './identity-store.ts'
import type { KeyInfo, Keyring } from './keyring.ts'
import { parseProjectId, type ProjectName } from './project/project-id.ts'
import { effects, isAllowed, type Role } from './roles.ts'

export interface NewProjectKey {
  name: string
  role: Role
  /** Author of data written with the key. Null: its name for an operator, else the user of the caller. */
  userId: string | null
  scopes: readonly Effect[]
  /** Null: with the key of the caller, if ever. */
  expiresAt: Micros | null
  /** Null: its chats are recorded only as their headers name it. */
  recording: KeyRecording | null
}

/**
 * Keys as the administrators of a project manage them. Callers cannot grant more than they have: a caller sees and revokes only keys that reach no
 * further than its own, and a key that it creates reaches one project, with effects that the caller has, for no longer than the caller's key is
 * valid.
 */
export interface ProjectKeys {
  /** The keys that may access the project, newest first, including revoked and expired ones. @throws 403 unless the caller is an administrator */
  listProjectKeys(caller: Caller, projectId: string): Promise<KeyInfo[]>
  /** This is the only time that the secret is returned. @throws 403 unless the caller is an administrator, 400 for a key that cannot be */
  createProjectKey(caller: Caller, projectId: string, key: NewProjectKey): Promise<{ secret: string; key: KeyInfo }>
  /** @throws 403 unless the caller is an administrator, 404 for a key that is not listed, 400 for the caller's own */
  revokeProjectKey(caller: Caller, projectId: string, id: string): Promise<KeyInfo>
}

export function createProjectKeys({ store, keyring }: { store: Pick<IdentityStore, 'findKey'>; keyring: Keyring }): ProjectKeys {
  async function list(caller: Caller, projectId: string): Promise<KeyInfo[]> {
    const project = openAsAdministrator(caller, projectId)
    return (await keyring.listKeys()).filter((key) => isWithin(caller, key) && roleIn(key, project) !== undefined)
  }

  return {
    listProjectKeys: list,

    async createProjectKey(caller, projectId, { name, role, userId, scopes, expiresAt, recording }) {
      const project = openAsAdministrator(caller, projectId)
      const own = await store.findKey(caller.keyId)
      const latest = own?.expires_at ?? null
      if (expiresAt !== null && latest !== null && expiresAt > latest)
        throw badRequest('the key would be valid for longer than the key of this request; choose fewer days')
      const expires = expiresAt ?? latest
      const projects = [{ project_id: project.id, role }]
      return keyring.createKey({
        name,
        role,
        userId: authorOf(caller, { name, userId }),
        entity: project.entity,
        scopes,
        projects,
        ...(expires !== null && { expiresAt: expires }),
        ...(recording !== null && { recording }),
      })
    },

    async revokeProjectKey(caller, projectId, id) {
      const found = (await list(caller, projectId)).find((key) => key.id === id)
      if (!found) throw notFound(`key ${JSON.stringify(id)} not found among those of ${projectId}`)
      if (found.id === caller.keyId)
        throw badRequest(`key ${JSON.stringify(id)} is that of this request; revoke it with another one, or with \`heddle keys revoke\``)
      await keyring.revokeKey(id)
      return (await list(caller, projectId)).find((key) => key.id === id) ?? found
    },
  }
}

/** Only an operator may create a key that writes as another user. @throws 403 */
function authorOf({ access, userId: own }: Caller, { name, userId }: Pick<NewProjectKey, 'name' | 'userId'>): string {
  if (isOperator(access)) return userId ?? name
  if (userId === null || userId === own) return own
  throw new ApiError(
    'forbidden',
    `a key that writes as ${JSON.stringify(userId)} can be made only with a key for everything in all projects; this one makes keys that write as ${JSON.stringify(own)}`,
  )
}

/** @throws 403 unless the caller has every effect in the project */
function openAsAdministrator({ access }: Caller, projectId: string): ProjectName {
  const project = parseProjectId(projectId)
  if (!effects.every((effect) => mayUse(access, project, effect))) throw forbidden()
  return project
}

/** Whether a key reaches no further than its caller administers. */
function isWithin({ access }: Caller, key: Pick<StoredKey, 'entity' | 'projects'>): boolean {
  if (access.entity !== '*' && key.entity !== access.entity) return false
  if (access.projects.length === 0) return true
  const administered = new Set(
    access.projects.filter(({ role }) => isAllowed({ role, scopes: access.scopes }, 'destroy')).map(({ project_id }) => project_id),
  )
  return key.projects.length > 0 && key.projects.every(({ project_id }) => administered.has(project_id))
}
