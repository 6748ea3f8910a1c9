import type { Effect, Micros } from '@heddle/core-api'
import type { KeyRecording } from '@heddle/core-api/types'
import type { Role } from './roles.ts'

/** A key as it is stored: everything but the secret. */
export interface StoredKey {
  id: string
  /** Purpose of the key, for users. */
  name: string
  /** Stored as the author of everything written with the key. */
  user_id: string
  /** SHA-256 of the secret, in hex. */
  hash: string
  prefix: string
  /** The only entity whose projects the key may access; `*` for all. */
  entity: string
  role: Role
  scopes: readonly Effect[]
  /** When not empty, the key may access only these projects, each with its own role. */
  projects: readonly ProjectRole[]
  /** Null: never. */
  expires_at: Micros | null
  /** Accurate to the minute. Null: never used. */
  last_used_at: Micros | null
  revoked_at: Micros | null
  created_at: Micros
  /** Where its chats are recorded. Null: only as their headers name it. */
  recording: KeyRecording | null
}

export interface ProjectRole {
  project_id: string
  role: Role
}

/** A session, or a link that starts one, as it is stored: everything but its token. */
export interface StoredSession {
  /** SHA-256 of the token, in hex. */
  hash: string
  /** The key for which it acts. */
  key_id: string
  created_at: Micros
  expires_at: Micros
}

export interface StoredProject {
  id: string
  internal_id: string
  entity: string
  name: string
}

export interface NewProject {
  id: string
  entity: string
  name: string
  created_at: Micros
}

/** Which projects to list. */
export interface ProjectSelection {
  /** Null: of every entity. */
  entity: string | null
  /** Null: whatever their id is. */
  ids: readonly string[] | null
  /** Text that the id contains, in any case; `''` for all. */
  contains: string
  /** Only ids after this one; `''` for all. */
  after: string
  limit: number
}

/** The storage port of identity. What takes a signal ends when it aborts, and has then written nothing. */
export interface IdentityStore {
  findKeyByHash(hash: string, signal?: AbortSignal): Promise<StoredKey | undefined>
  /** True while a key with this hash is stored and not revoked. Cheaper than `findKeyByHash`. */
  hasLiveKey(hash: string): Promise<boolean>
  findKey(id: string): Promise<StoredKey | undefined>
  /** Newest first. */
  listKeys(): Promise<StoredKey[]>
  /** Keys that are usable at a time and are of the entity or of all, in no order. */
  listKeysOf(entity: string, at: Micros, signal?: AbortSignal): Promise<StoredKey[]>
  /** Adds the key, or replaces the one with its id, together with its projects. */
  putKey(key: StoredKey): Promise<void>
  /** Marks the key as revoked. A key revoked before keeps its first `revoked_at`. False when there is no such key. */
  revokeKey(id: string, at: Micros): Promise<boolean>
  deleteKey(id: string): Promise<void>
  setLastUsed(id: string, at: Micros): Promise<void>
  /** Adds a session. Removes sessions of its key that have expired, and the oldest beyond `maxSessions`. */
  putSession(session: StoredSession, maxSessions: number): Promise<void>
  /** The key of the session with this hash; undefined if there is none, or it has expired. */
  findKeyBySession(hash: string, at: Micros, signal?: AbortSignal): Promise<StoredKey | undefined>
  deleteSession(hash: string): Promise<void>
  /** Adds a sign-in link. Removes links of its key that have expired, and the oldest beyond `maxLinks`. */
  putSignInLink(link: StoredSession, maxLinks: number): Promise<void>
  /** Removes the sign-in link with this hash and returns its key, to one caller only; undefined if there is none, or it has expired. */
  takeSignInLink(hash: string, at: Micros): Promise<StoredKey | undefined>
  findProject(id: string, signal?: AbortSignal): Promise<StoredProject | undefined>
  /** In the order of their ids. */
  listProjects(selection: ProjectSelection, signal?: AbortSignal): Promise<(StoredProject & { created_at: Micros })[]>
  /** Creates the project, or returns the existing one with this id. Concurrent callers get the same project. */
  createProject(project: NewProject, signal?: AbortSignal): Promise<StoredProject>
}
