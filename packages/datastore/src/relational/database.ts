import { chmodSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, type SqliteDatabase } from 'kysely'
import Libsql from 'libsql'
import { StoreError } from '../work/store-error.ts'
import type { WorkScope } from '../work/work-scope.ts'
import { makeFolder } from '../durable-folders.ts'
import { codeOf } from '../error-code.ts'
import { translated } from './database-failure.ts'
import { migrated } from './migrate-database.ts'
import { commitRecordPath, createCommitRecord } from './sqlite/commit-record.ts'
import { damagedDatabase } from './sqlite/damaged-database.ts'
import { type ExamineOptions, examineSqlite } from './sqlite/examine-sqlite.ts'
import { keepEvidence } from './sqlite/keep-evidence.ts'
import { numberingDialect } from './sqlite/numbered-commits.ts'
import type { Tables } from './tables.ts'

/** Queries and transactions on data that needs unique keys or compare-and-set. The same queries run on both dialects. */
export type Database = Kysely<Tables>

/** The relational store for request handling: every statement has a scope, so none can outlive its request. */
export interface ScopedDatabase {
  /**
   * The database for the work of a scope. When its signal aborts, PostgreSQL cancels the running statement, and a transaction that has not been
   * committed is rolled back; both fail with `StoreError` `cancelled`.
   */
  of(scope: Pick<WorkScope, 'signal'>): Database
}

/** The relational store. Statements made on it directly run as server work. */
export type RelationalStore = Database & ScopedDatabase

export interface OpenSqliteOptions {
  /**
   * `start`: refuses a file with damage in its tables or indexes, which takes about 2 s per GiB. `commits`: checks only for missing acknowledged
   * commits, for programs that run next to a server. Default `start`.
   */
  examines?: 'start' | 'commits'
  /** Called each time a statement meets damage, with an error of kind `damaged`. */
  onDamage?: ((error: StoreError) => void) | undefined
  /** Called where examining took too long for all tables. */
  onUnfinished?: ExamineOptions['onUnfinished']
  /** Continues without acknowledged commits that are missing, as an operator has decided. The files are copied first. */
  acceptsMissingCommits?: boolean
  /** Called once no damage was found, and before anything is written or created: what it throws refuses the file. */
  beforeChanges?: () => Promise<void>
}

/**
 * Opens the file, creates it if missing, and migrates the schema. Commits are durable once they resolve. Statements block the calling thread: keep
 * transactions short.
 * @throws StoreError `failed` that names the damage and the remedy, before anything is written
 */
export async function openSqlite(path: string, options: OpenSqliteOptions = {}): Promise<RelationalStore> {
  await makeFolder(dirname(path))
  await refuseDamage(path, options)
  await options.beforeChanges?.()
  const file = new Libsql(path)
  // Before its side files (WAL) are created: they inherit its mode.
  chmodSync(path, 0o600)
  file.pragma('journal_mode = WAL')
  file.pragma('synchronous = FULL')
  // On macOS a sync without it reaches only the disk's cache; elsewhere it has no effect.
  file.pragma('fullfsync = ON')
  file.pragma('checkpoint_fullfsync = ON')
  file.pragma('busy_timeout = 5000')
  file.pragma('foreign_keys = ON')
  const dialect = numberingDialect(translatingFile(file, options.onDamage), createCommitRecord(path))
  const database = await migrated(new Kysely<Tables>({ dialect }), 'sqlite')
  // Statements of SQLite are short and block the thread: no abort can arrive while one runs.
  return Object.assign(database, { of: () => database })
}

async function refuseDamage(
  path: string,
  { examines = 'start', onUnfinished, acceptsMissingCommits = false }: OpenSqliteOptions,
): Promise<void> {
  const damage = examineSqlite({ path, depth: examines, ...(onUnfinished && { onUnfinished }) })
  if (damage === undefined) return
  const evidence = await keepEvidence(path)
  if (damage.kind === 'commits' && acceptsMissingCommits) return rmSync(commitRecordPath(path), { force: true })
  throw damagedDatabase(path, damage, evidence)
}

function translatingFile(file: SqliteDatabase, onDamage: OpenSqliteOptions['onDamage']): SqliteDatabase {
  function run<T>(work: () => T): T {
    try {
      return translated(work)
    } catch (error) {
      if (error instanceof StoreError && error.kind === 'damaged') onDamage?.(error)
      throw error
    }
  }
  return {
    close: () => file.close(),
    prepare: (text) => {
      const statement = run(() => file.prepare(text))
      return {
        reader: statement.reader,
        all: (parameters) => run(() => statement.all(parameters)),
        run: (parameters) => run(() => statement.run(parameters)),
        iterate: (parameters) => run(() => statement.iterate(parameters)),
      }
    },
  }
}

const uniqueViolations = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'])

/** True for the error of a write that violates a unique key. */
export function isUniqueViolation(error: unknown): boolean {
  return uniqueViolations.has(codeOf(error))
}
