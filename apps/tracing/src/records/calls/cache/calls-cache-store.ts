/** Ids of a project that are stored. */
export interface StoredIds {
  project_id: string
  ids: readonly string[]
}

/** Storage access of the call caches: only for the server's memory, never for an answer. */
export interface CallsCacheStore {
  /** The ids of all calls of all projects, including deleted ones; some more than once. */
  storedIds(signal: AbortSignal): AsyncIterable<StoredIds>
  /** The different `idx_gaps` of all calls of a project, at most `limit`. */
  readUnindexed(projectId: string, limit: number): Promise<string[]>
}
