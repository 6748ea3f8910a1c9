/** Configuration of the engine, passed by its supervisor as JSON in the first argument. */
export interface EngineConfig {
  /** Folder of the engine's tables, its lock and its socket. */
  dataDir: string
  /** Process id of the supervisor. The parent pid changes once it is gone. */
  serverPid: number
  /** Memory limit of all queries and merges together, in bytes. */
  memoryLimitBytes: number
  /** Concurrent queries, besides one insert and one other change. */
  statementSessions: number
  /** Maximum number of queued statements; more are rejected. */
  maxWaiting: number
  /** Maximum bytes of one insert with rows in its body. */
  maxInsertBytes: number
  /** Folder of the files that inserts name. */
  journalDir: string
  /** The only folder that backups are written to and read from. */
  backupDir: string
}

/** Messages from the engine to its supervisor. */
export type EngineMessage =
  | { type: 'ready'; socketPath: string; version: string }
  /** The engine exits. `held`: the folder is locked by a process that is about to exit, so a retry helps. `refused`: a retry does not help. */
  | { type: 'refused' | 'held' | 'failed'; reason: string }

/** The database that holds all tables. */
export const databaseName = 'heddle'
