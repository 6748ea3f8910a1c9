import type { Effect, Micros } from '@heddle/core-api'
import type { Role } from './roles.ts'

/** A key as it is kept: everything but the secret. */
export interface StoredKey {
  id: string
  /** For people: what the key is for. */
  name: string
  /** Written as the author of all that is recorded with the key. */
  user_id: string
  /** SHA-256 of the secret, in hex. */
  hash: string
  prefix: string
  /** The only entity whose projects the key reaches; `*` for every one. */
  entity: string
  role: Role
  scopes: readonly Effect[]
  /** When not empty, the key reaches these projects alone, each with its own role. */
  projects: readonly ProjectRole[]
  /** Null: never. */
  expires_at: Micros | null
  /** Exact to the minute. Null: never used. */
  last_used_at: Micros | null
  revoked_at: Micros | null
  created_at: Micros
}

export interface ProjectRole {
  project_id: string
  role: Role
}

export interface StoredProject {
  id: string
  internal_id: string
  entity: string
  name: string
}

/** What identity asks of storage. */
export interface IdentityStore {
  findKeyByHash(hash: string): Promise<StoredKey | undefined>
  /** True while a key with this hash is stored and not revoked: a cheaper question than which key it is. */
  hasLiveKey(hash: string): Promise<boolean>
  findKey(id: string): Promise<StoredKey | undefined>
  /** Newest first. */
  listKeys(): Promise<StoredKey[]>
  /** Adds the key, or replaces the one with its id, together with its projects. */
  putKey(key: StoredKey): Promise<void>
  /** Marks the key as revoked; one that is already keeps its first time. False when there is no such key. */
  revokeKey(id: string, at: Micros): Promise<boolean>
  deleteKey(id: string): Promise<void>
  setLastUsed(id: string, at: Micros): Promise<void>
  findProject(id: string): Promise<StoredProject | undefined>
  /** Creates the project, or returns the one with this id: callers that come together get the same one. */
  createProject(project: { id: string; entity: string; name: string; created_at: Micros }): Promise<StoredProject>
}
