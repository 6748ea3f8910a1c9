import { randomUUID } from 'node:crypto'
import {
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import type { CommitRecord, NumberedCommit } from './commit-record.ts'

/** One row: the id of the database, and the number of its last commit, which each transaction that changes something counts up. */
const createTable = 'CREATE TABLE IF NOT EXISTS numbered_commits (database TEXT NOT NULL, number INTEGER NOT NULL)'

/** The last commit that a database holds; undefined in one of a version that did not number them. */
export function readLastCommit(file: Pick<SqliteDatabase, 'prepare'>): NumberedCommit | undefined {
  const hasTable = file.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'numbered_commits'").all([]).length > 0
  return hasTable ? (file.prepare('SELECT database, number FROM numbered_commits').all([]) as NumberedCommit[])[0] : undefined
}

/**
 * A dialect that numbers each commit, in the transaction itself, and records the number once the commit is on disk. A statement or transaction that
 * wrote resolves once the record is on disk too. So whatever was acknowledged is claimed, and nothing is claimed that a power cut could take away.
 */
export function numberingDialect(file: SqliteDatabase, record: CommitRecord): SqliteDialect {
  const commits = numberCommits(file, record)
  return new NumberingDialect(commits, record)
}

class NumberingDialect extends SqliteDialect {
  readonly #commits: NumberedFile
  readonly #record: CommitRecord

  constructor(commits: NumberedFile, record: CommitRecord) {
    super({ database: commits.file })
    this.#commits = commits
    this.#record = record
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter()
  }

  override createDriver(): Driver {
    return new SyncingDriver(this.#commits, this.#record)
  }
}

/** All migrations and their entries in the list are one commit: a kill leaves all of them or none. SQLite can, and Kysely does not rely on it. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class SyncingDriver extends SqliteDriver {
  readonly #commits: NumberedFile
  readonly #record: CommitRecord

  constructor(commits: NumberedFile, record: CommitRecord) {
    super({ database: commits.file })
    this.#commits = commits
    this.#record = record
  }

  /** Passes the connection on first, so that callers that commit meanwhile share one sync. */
  override async releaseConnection(_connection?: DatabaseConnection): Promise<void> {
    const hasCommitted = this.#commits.takeCommitted()
    await super.releaseConnection()
    if (hasCommitted) await this.#record.sync()
  }

  override async destroy(): Promise<void> {
    await this.#record.close()
    this.#commits.emptyLog()
    await super.destroy()
  }
}

interface NumberedFile {
  file: SqliteDatabase
  /** Whether anything was committed since the last call. */
  takeCommitted(): boolean
  /**
   * Moves the log into the database if no other process uses it. SQLite does so when a connection ends, but ours ends when its statements are
   * garbage-collected: a log of some megabytes would remain until then.
   */
  emptyLog(): void
}

function numberCommits(file: SqliteDatabase, record: CommitRecord): NumberedFile {
  file.prepare(createTable).run([])
  file
    .prepare('INSERT INTO numbered_commits (database, number) SELECT ?, 0 WHERE NOT EXISTS (SELECT 1 FROM numbered_commits)')
    .run([randomUUID()])
  const begin = file.prepare('BEGIN IMMEDIATE')
  const commit = file.prepare('COMMIT')
  const rollback = file.prepare('ROLLBACK')
  const count = file.prepare('UPDATE numbered_commits SET number = number + 1 RETURNING database, number')
  const totalChanges = file.prepare('SELECT total_changes() AS changes')
  let isInTransaction = false
  let hasWritten = false
  let changesBefore = 0
  let hasChangedSchema = false
  let hasCommitted = false

  const changesNow = () => (totalChanges.all([]) as { changes: number }[])[0]?.changes ?? 0

  function noteBegin(): void {
    hasWritten = false
    hasChangedSchema = false
    changesBefore = changesNow()
  }

  /** A transaction that found nothing to change writes nothing: a full disk refuses no delete that has nothing to delete. */
  function commitNumbered<T>(commitNow: () => T): T {
    if (!hasChangedSchema && changesNow() === changesBefore) return commitNow()
    record.open()
    const [numbered] = count.all([]) as NumberedCommit[]
    const result = commitNow()
    hasCommitted = true
    if (numbered) record.write(numbered)
    return result
  }

  function write<T>(kind: 'write' | 'schema', work: () => T): T {
    if (!isInTransaction) noteBegin()
    hasChangedSchema ||= kind === 'schema'
    if (isInTransaction) {
      hasWritten = true
      return work()
    }
    begin.run([])
    try {
      const result = work()
      commitNumbered(() => commit.run([]))
      return result
    } catch (error) {
      endTransaction()
      throw error
    }
  }

  /** Does nothing where SQLite has rolled back already, as after a full disk, or has committed. */
  function endTransaction(): void {
    try {
      rollback.run([])
    } catch {
      // There is no transaction.
    }
  }

  /** Runs a statement according to its effect on the transaction. */
  function runAs<T>(kind: StatementKind, work: () => T): T {
    switch (kind) {
      case 'begin': {
        const result = work()
        isInTransaction = true
        noteBegin()
        return result
      }
      case 'commit': {
        const result = hasWritten ? commitNumbered(work) : work()
        isInTransaction = false
        return result
      }
      case 'rollback':
        isInTransaction = false
        return work()
      case 'write':
      case 'schema':
        return write(kind, work)
      case 'other':
        return work()
    }
  }

  return {
    takeCommitted() {
      const had = hasCommitted
      hasCommitted = false
      return had
    },
    emptyLog() {
      try {
        file.prepare('PRAGMA busy_timeout = 0').all([])
        file.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([])
      } catch {
        // A full or failing disk: the log is read at the next start.
      }
    },
    file: {
      close: () => file.close(),
      prepare(text): SqliteStatement {
        const statement = file.prepare(text)
        const kind = kindOf(text)
        return {
          reader: statement.reader,
          all: (parameters) => runAs(kind, () => statement.all(parameters)),
          run: (parameters) => runAs(kind, () => statement.run(parameters)),
          iterate: (parameters) => statement.iterate(parameters),
        }
      },
    },
  }
}

type StatementKind = 'begin' | 'commit' | 'rollback' | 'write' | 'schema' | 'other'

const changesSchema = /^\s*(?:create|alter|drop|reindex|analyze)\b/i
const writes = /^\s*(?:insert|update|delete|replace)\b/i
const writesWithNames = /^\s*with\b.*\b(?:insert|update|delete|replace)\b/is
const transactionWords = /^\s*(begin|commit|rollback)\s*;?\s*$/i

/** The effect of a statement. A statement that only mentions a writing verb counts as a write. */
function kindOf(text: string): StatementKind {
  const word = transactionWords.exec(text)?.[1]?.toLowerCase()
  if (word !== undefined) return word as StatementKind
  if (changesSchema.test(text)) return 'schema'
  return writes.test(text) || writesWithNames.test(text) ? 'write' : 'other'
}
