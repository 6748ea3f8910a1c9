import type { Effect } from '@heddle/core-api'
import type { KeyRecording } from '@heddle/core-api/types'
import type { ProjectRole, StoredKey } from './identity-store.ts'
import { findProjectName } from './project/project-id.ts'
import { effects, isAllowed, type Role } from './roles.ts'

/** The entity of callers whose key is not bound to one. */
export const defaultEntity = 'local'

/** Who sent a request, according to its API key. */
export interface Caller {
  readonly keyId: string
  /** Stored as the author of everything the request writes. */
  readonly userId: string
  /** Name shown to clients. */
  readonly username: string
  /** The default entity for project names without one. */
  readonly entity: string
  readonly access: Access
  /** Where its chats are recorded. Null: only as their headers name it. */
  readonly recording: KeyRecording | null
}

/** Which projects a key may access, and with which role. */
export interface Access {
  /** `*` for every entity. */
  readonly entity: string
  readonly role: Role
  readonly scopes: readonly Effect[]
  /** When not empty, only these projects. */
  readonly projects: readonly ProjectRole[]
}

export function toCaller(key: StoredKey): Caller {
  const { entity, role, scopes, projects } = key
  return {
    keyId: key.id,
    userId: key.user_id,
    username: key.user_id,
    entity: entity === '*' ? defaultEntity : entity,
    access: { entity, role, scopes, projects },
    recording: key.recording,
  }
}

/** True for a key that may do everything in all projects. Only an operator may back up and restore. */
export function isOperator({ entity, role, scopes, projects }: Access): boolean {
  return entity === '*' && projects.length === 0 && effects.every((effect) => isAllowed({ role, scopes }, effect))
}

/** True when the key's role in this project allows the effect. */
export function mayUse(access: Access, project: { id: string; entity: string }, effect: Effect): boolean {
  const role = roleIn(access, project)
  return role !== undefined && isAllowed({ role, scopes: access.scopes }, effect)
}

/**
 * The project of a request, as far as it is known without the body: the one that the request names, else for a write the only one of the key.
 * Undefined if it is unknown, or may not be used.
 */
export function knownProject({ access }: Pick<Caller, 'access'>, effect: Effect, named: string | undefined): string | undefined {
  const [only, ...others] = access.projects
  const id = named ?? (effect !== 'read' && others.length === 0 ? only?.project_id : undefined)
  const project = id === undefined ? undefined : findProjectName(id)
  return project && mayUse(access, project, effect) ? project.id : undefined
}

/** Which projects a key may use for an effect: of one entity or of all (null), and all of its projects (null) or some. Undefined: none. */
export function usableProjects(access: Access, effect: Effect): { entity: string | null; ids: readonly string[] | null } | undefined {
  const { role, scopes, projects } = access
  const entity = access.entity === '*' ? null : access.entity
  if (projects.length === 0) return isAllowed({ role, scopes }, effect) ? { entity, ids: null } : undefined
  const usable = projects.filter((project) => isAllowed({ role: project.role, scopes }, effect))
  return usable.length === 0 ? undefined : { entity, ids: usable.map(({ project_id }) => project_id) }
}

/** The role in a project; undefined where it may not be used. */
export function roleIn(access: Pick<Access, 'entity' | 'role' | 'projects'>, project: { id: string; entity: string }): Role | undefined {
  if (access.entity !== '*' && access.entity !== project.entity) return undefined
  if (access.projects.length === 0) return access.role
  return access.projects.find((entry) => entry.project_id === project.id)?.role
}
