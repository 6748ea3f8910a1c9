import type { Effect, Micros } from '@heddle/core-api'
import { badRequest, isRecordedId, notFound } from '@heddle/core-api/internal'
import type { KeyRecording } from '@heddle/core-api/types'
import { v4 as newUuid } from 'uuid'
import { displayPrefix, hashApiKey, newApiKey } from './api-key.ts'
import type { IdentityStore, ProjectRole, StoredKey } from './identity-store.ts'
import { parseProjectId } from './project/project-id.ts'
import type { Role } from './roles.ts'

export interface NewKey {
  /** Purpose of the key; 1 to 128 characters. */
  name: string
  role: Role
  /** Author of everything written with the key. Default: the name of the key. */
  userId?: string
  /** Entity whose projects the key may access; all entities when absent. All of `projects` must belong to it. */
  entity?: string
  /** Subset of the role's effects that the key has; all when absent. */
  scopes?: readonly Effect[]
  /** Limits the key to these projects. */
  projects?: readonly ProjectRole[]
  /** Never when absent. */
  expiresAt?: Micros
  /** Records its chats with trained models as trajectories. */
  recording?: KeyRecording
}

/** A key as shown to users: everything but its hash. */
export type KeyInfo = Omit<StoredKey, 'hash'>

export interface Keyring {
  /**
   * Creates a key. This is the only time its secret is returned.
   * @throws 400 for an invalid name, entity, project, expiry or recording.
   */
  createKey(key: NewKey): Promise<{ secret: string; key: KeyInfo }>
  /** Newest first, including revoked and expired keys. */
  listKeys(): Promise<KeyInfo[]>
  /**
   * Revokes a key: once this resolves, no server accepts a request with it. Idempotent.
   * @throws 404 when there is no key with this id.
   */
  revokeKey(id: string): Promise<void>
}

interface KeyringDeps {
  store: IdentityStore
  clock: () => Micros
  /** Called after each change, to invalidate caches. */
  onChange: () => void
}

export function createKeyring({ store, clock, onChange }: KeyringDeps): Keyring {
  return {
    async createKey(wanted) {
      const secret = newApiKey()
      const key = toStoredKey(wanted, { secret, now: clock() })
      await store.putKey(key)
      onChange()
      return { secret, key: toInfo(key) }
    },
    async listKeys() {
      return (await store.listKeys()).map(toInfo)
    },
    async revokeKey(id) {
      const found = await store.revokeKey(id, clock())
      onChange()
      if (!found) throw notFound(`key ${JSON.stringify(id)} not found`)
    },
  }
}

/** Validates a new key and fills in the defaults. */
export function toStoredKey(wanted: NewKey, { secret, now, id = newUuid() }: { secret: string; now: Micros; id?: string }): StoredKey {
  checkName(wanted.name)
  if (wanted.recording) checkRecording(wanted.recording)
  if (wanted.expiresAt !== undefined && wanted.expiresAt <= now) throw badRequest('expires_at is in the past; choose a later time')
  return {
    id,
    name: wanted.name,
    user_id: wanted.userId ?? wanted.name,
    hash: hashApiKey(secret),
    prefix: displayPrefix(secret),
    entity: entityOf(wanted),
    role: wanted.role,
    scopes: wanted.scopes ?? [],
    projects: wanted.projects ?? [],
    expires_at: wanted.expiresAt ?? null,
    last_used_at: null,
    revoked_at: null,
    created_at: now,
    recording: wanted.recording ?? null,
  }
}

function checkRecording({ trajectory_id, group_id }: KeyRecording): void {
  for (const [what, id] of [
    ['trajectory', trajectory_id],
    ['group', group_id],
  ] as const)
    if (id !== null && !isRecordedId(id))
      throw badRequest(
        `the ${what} in which a key records must have 1 to 200 visible ASCII characters, got ${JSON.stringify(id.slice(0, 300))}`,
      )
}

function checkName(name: string): void {
  if (name.length < 1 || name.length > 128) throw badRequest(`the name of a key must have 1 to 128 characters, got ${name.length}`)
  if (/\p{Cc}/u.test(name)) throw badRequest(`the name of a key, ${JSON.stringify(name)}, contains a control character`)
}

/** The only entity of the key, or `*`. */
function entityOf({ entity, projects = [] }: NewKey): string {
  const entities = new Set(projects.map((entry) => parseProjectId(entry.project_id).entity))
  if (entity === undefined || entity === '*') return entities.size === 1 ? ([...entities][0] ?? '*') : '*'
  parseProjectId(`${entity}/any`)
  for (const other of entities) {
    if (other !== entity) throw badRequest(`a key of entity ${JSON.stringify(entity)} cannot access a project of ${JSON.stringify(other)}`)
  }
  return entity
}

function toInfo({ hash: _hash, ...info }: StoredKey): KeyInfo {
  return info
}
