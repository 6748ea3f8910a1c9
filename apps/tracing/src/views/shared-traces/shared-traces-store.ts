import type { Micros } from '@heddle/datastore'

/** A link as it is stored: of its token there is a hash alone. */
export interface StoredSharedTrace {
  project_id: string
  id: string
  trace_id: string
  created_by: string
  created_at: Micros
  expires_at: Micros
}

export interface SharedTracesPage {
  /** Only links to this trace; null for all. */
  traceId: string | null
  limit: number
  offset: number
}

/** Public links to traces. Calls do not end when the client of a request leaves. */
export interface SharedTracesStore {
  /** Undefined if there is none, or it has expired. */
  findByHash(hash: string, now: Micros): Promise<StoredSharedTrace | undefined>
  /** Links that have not expired, newest first. */
  list(projectId: string, now: Micros, page: SharedTracesPage): Promise<StoredSharedTrace[]>
  /** Number of links that have not expired. */
  count(projectId: string, now: Micros): Promise<number>
  /** `keyId`: of the request. */
  insert(link: StoredSharedTrace, made: { hash: string; keyId: string }): Promise<void>
  /** Does nothing if there is none. */
  delete(projectId: string, id: string): Promise<void>
  deleteExpired(now: Micros): Promise<void>
}
