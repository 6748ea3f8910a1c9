/** Configuration of the engine, passed by its supervisor as JSON in the first argument. */
export interface EngineConfig {
  /** Folder of the engine's tables. */
  dataDir: string
  /** Where the engine listens. */
  socketPath: string
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
  /** Columns of tables, by their names, whose value is known where rows hold none of some texts. */
  knownColumns: Readonly<Record<string, readonly KnownColumn[]>>
}

/** A column that has a value, as SQL, in rows that hold none of these texts. */
export interface KnownColumn {
  name: string
  texts: readonly string[]
  value: string
}

/** Messages from the engine to its supervisor. After `failed` it exits. */
export type EngineMessage =
  | { type: 'ready'; version: string }
  | { type: 'failed'; reason: string }
  /** Its socket was removed by another program and is open again. */
  | { type: 'reopened' }

/** The database that holds all tables. */
export const databaseName = 'heddle'
