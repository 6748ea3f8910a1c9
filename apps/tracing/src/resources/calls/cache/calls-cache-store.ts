/** Ids of a project that are stored. */
export interface StoredIds {
  project_id: string
  ids: readonly string[]
}

/** What caches of calls ask of storage, for the memory of the server and never for an answer. */
export interface CallsCacheStore {
  /** The ids of all calls of all projects, deleted ones too, some of them more than once. */
  storedIds(): AsyncIterable<StoredIds>
  /** The different `idx_gaps` of all calls of a project, at most `limit`. */
  readUnindexed(projectId: string, limit: number): Promise<string[]>
}
