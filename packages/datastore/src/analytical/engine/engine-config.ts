/** What a supervisor tells its engine; travels as JSON in the child's first argument. */
export interface EngineConfig {
  /** Folder of the engine's tables, its lock and its socket. */
  dataDir: string
  /** Process of the supervisor. The system names another one as the parent once it is gone. */
  serverPid: number
  /** Bytes that all queries and merges together may hold. */
  memoryLimitBytes: number
  /** Queries that run at the same time, beside one insert and one other change. */
  statementSessions: number
  /** Statements that may wait for a session; more are refused. */
  maxWaiting: number
  /** Bytes of one insert whose rows come with it. */
  maxInsertBytes: number
  /** Folder of the files that inserts name. */
  journalDir: string
  /** The one folder that backups are written to and read from. */
  backupDir: string
}

/** What an engine tells its supervisor. */
export type EngineMessage =
  | { type: 'ready'; socketPath: string; version: string }
  /** The engine ends. `held`: by a process that is about to end, so trying again soon helps. `refused`: trying again does not help. */
  | { type: 'refused' | 'held' | 'failed'; reason: string }

/** The database that holds all tables. */
export const databaseName = 'heddle'
