import { badRequest, type Effect, type Micros, notFound } from '@heddle/core-api'
import { v4 as newUuid } from 'uuid'
import { displayPrefix, hashApiKey, newApiKey } from './api-key.ts'
import type { IdentityStore, ProjectRole, StoredKey } from './identity-store.ts'
import { parseProjectId } from './project-id.ts'
import type { Role } from './roles.ts'

export interface NewKey {
  /** What the key is for; 1 to 128 characters. */
  name: string
  role: Role
  /** Author of what is recorded with the key. The name of the key when absent. */
  userId?: string
  /** Entity whose projects the key reaches; every one when absent. With `projects`, all of them belong to it. */
  entity?: string
  /** Effects that the key keeps of those of its role; all when absent. */
  scopes?: readonly Effect[]
  /** Reach these projects alone. */
  projects?: readonly ProjectRole[]
  /** Never when absent. */
  expiresAt?: Micros
}

/** A key as shown to people: everything but its hash. */
export type KeyInfo = Omit<StoredKey, 'hash'>

export interface Keyring {
  /**
   * Creates a key. Its secret is in this answer and nowhere else.
   * @throws 400 for a name, entity, project or time that cannot be.
   */
  createKey(key: NewKey): Promise<{ secret: string; key: KeyInfo }>
  /** Newest first, revoked and expired ones too. */
  listKeys(): Promise<KeyInfo[]>
  /**
   * Ends a key: no server accepts a request with it that comes after this. A repetition is harmless.
   * @throws 404 when there is no key with this id.
   */
  revokeKey(id: string): Promise<void>
}

interface KeyringDeps {
  store: IdentityStore
  clock: () => Micros
  /** Told after each change, to drop what is remembered. */
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
      if (!found) throw notFound(`there is no key with id ${JSON.stringify(id)}`)
    },
  }
}

/** Checks what is wanted of a key and fills in what was left out. */
export function toStoredKey(wanted: NewKey, { secret, now, id = newUuid() }: { secret: string; now: Micros; id?: string }): StoredKey {
  checkName(wanted.name)
  if (wanted.expiresAt !== undefined && wanted.expiresAt <= now) throw badRequest('expires_at is in the past; choose a later time')
  return {
    id,
    name: wanted.name,
    user_id: wanted.userId ?? wanted.name,
    hash: hashApiKey(secret),
    prefix: displayPrefix(secret),
    entity: reachOf(wanted),
    role: wanted.role,
    scopes: wanted.scopes ?? [],
    projects: wanted.projects ?? [],
    expires_at: wanted.expiresAt ?? null,
    last_used_at: null,
    revoked_at: null,
    created_at: now,
  }
}

function checkName(name: string): void {
  if (name.length < 1 || name.length > 128) throw badRequest(`the name of a key has 1 to 128 characters, not ${name.length}`)
  if (/\p{Cc}/u.test(name)) throw badRequest(`the name of a key, ${JSON.stringify(name)}, contains a control character`)
}

/** The one entity of the key, or `*`. */
function reachOf({ entity, projects = [] }: NewKey): string {
  const entities = new Set(projects.map((entry) => parseProjectId(entry.project_id).entity))
  if (entity === undefined || entity === '*') return entities.size === 1 ? ([...entities][0] ?? '*') : '*'
  parseProjectId(`${entity}/any`)
  for (const other of entities) {
    if (other !== entity) throw badRequest(`a key of entity ${JSON.stringify(entity)} cannot reach a project of ${JSON.stringify(other)}`)
  }
  return entity
}

function toInfo({ hash: _hash, ...info }: StoredKey): KeyInfo {
  return info
}
