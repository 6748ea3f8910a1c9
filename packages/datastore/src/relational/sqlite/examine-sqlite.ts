import { statSync } from 'node:fs'
import type Libsql from 'libsql'
import { codeOf } from '../../error-code.ts'
import { toDatabaseFailure } from '../database-failure.ts'
import { commitRecordPath, isCommitRecordDamaged, readCommitRecord } from './commit-record.ts'
import { findBrokenLog } from './examine-log.ts'
import { readLastCommit } from './numbered-commits.ts'
import { readSqlite } from './open-read-only.ts'
import { messageOf } from '../../message-of.ts'

/** Damage in the files of a SQLite database. */
export interface SqliteDamage {
  /** `pages`: the file cannot be read as it was written. `commits`: it can, and acknowledged commits are missing from it. */
  kind: 'pages' | 'commits'
  /** The damage found. */
  reason: string
}

export interface ExamineOptions {
  path: string
  /**
   * `start`: the structure of all tables and indexes, of files above 4 GiB for 20 s. `whole`: also each entry of each index against its table.
   * `commits`: only whether acknowledged commits are missing.
   */
  depth: 'commits' | 'start' | 'whole'
  /** Called where the time ended before all tables were examined. */
  onUnfinished?: (tables: { examined: number; all: number }) => void
}

/** Files up to this size are examined whole at a start: a second takes about half a GiB. */
const wholeBytes = 4 * 2 ** 30
const limitMs = 20_000
/** As many findings as a message quotes. */
const quoted = 3

/**
 * Checks for damage, without writing to the file or its log: a connection that could write would end the log at its first damaged frame. Undefined if
 * there is none, or no database. A server may be using the file.
 * @throws StoreError when the file cannot be opened, or the record of commits was written by a newer version
 */
export function examineSqlite({ path, depth, onUnfinished = () => undefined }: ExamineOptions): SqliteDamage | undefined {
  // Read before the database: writes acknowledged meanwhile are in the database before they are in the record.
  const acknowledged = readCommitRecord(path)
  const logBytes = sizeOf(`${path}-wal`) ?? 0
  const bytes = sizeOf(path)
  if (bytes === undefined) {
    if (logBytes > 0) return { kind: 'pages', reason: 'the file is missing, and its log is there' }
    const record = commitRecordPath(path)
    return acknowledged && { kind: 'commits', reason: `the file is missing, and ${record} has commit ${acknowledged.number} of it` }
  }
  if (bytes === 0) return acknowledged || logBytes > 0 ? { kind: 'pages', reason: 'the file is empty' } : undefined
  try {
    return readSqlite(path, (file) => {
      const faults = depth === 'commits' ? [] : faultsOf(file, { depth, bytes, onUnfinished })
      if (faults.length > 0) return { kind: 'pages', reason: faults.slice(0, quoted).join('; ') }
      return acknowledged ? findMissingCommits(file, { path, acknowledged }) : findUnnumbered(path)
    })
  } catch (error) {
    if (isDamage(error)) return { kind: 'pages', reason: messageOf(error) }
    // A rollback journal is there: only a connection that may write can read the file, and it puts the file in order.
    if (codeOf(error).startsWith('SQLITE_READONLY')) return undefined
    throw toDatabaseFailure(error)
  }
}

/** Missing data of a database without a readable record: written by a version that did not number commits, or with a damaged record. */
function findUnnumbered(path: string): SqliteDamage | undefined {
  if (isCommitRecordDamaged(path)) {
    const reason = `its record of commits ${commitRecordPath(path)} is damaged, so that acknowledged commits that are missing would not be noticed`
    return { kind: 'commits', reason }
  }
  const log = findBrokenLog(`${path}-wal`)
  if (log === undefined) return undefined
  const reason = `its log ${path}-wal is damaged behind frame ${log.intactFrames}: at least ${log.commitsBehind} commits behind the damage cannot be applied`
  return { kind: 'commits', reason }
}

function findMissingCommits(
  file: Libsql.Database,
  { path, acknowledged }: { path: string; acknowledged: { database: string; number: number } },
): SqliteDamage | undefined {
  const last = readLastCommit(file)
  // The record belongs to another database: the ids of the stores decide whether this one belongs here.
  if (last && last.database !== acknowledged.database) return undefined
  const missing = acknowledged.number - (last?.number ?? 0)
  if (missing <= 0) return undefined
  const where = `${path}-wal was damaged, cut or removed, or ${path} was replaced by an older copy`
  return {
    kind: 'commits',
    reason: `its last ${missing === 1 ? 'commit that was acknowledged is' : `${missing} commits that were acknowledged are`} missing (commit ${acknowledged.number} is in ${commitRecordPath(path)}, and the last in the database is ${last?.number ?? 0}): ${where}`,
  }
}

function faultsOf(
  file: Libsql.Database,
  { depth, bytes, onUnfinished }: Required<Pick<ExamineOptions, 'depth' | 'onUnfinished'>> & { bytes: number },
): string[] {
  if (depth === 'whole') return messagesOf(file.prepare(`PRAGMA integrity_check(${quoted})`).all())
  if (bytes <= wholeBytes) return messagesOf(file.prepare(`PRAGMA quick_check(${quoted})`).all())
  const tables = file.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rootpage").all() as { name: string }[]
  const end = performance.now() + limitMs
  for (const [index, { name }] of tables.entries()) {
    if (performance.now() > end) {
      onUnfinished({ examined: index, all: tables.length })
      return []
    }
    const faults = messagesOf(file.prepare(`PRAGMA quick_check('${name.replaceAll("'", "''")}')`).all())
    if (faults.length > 0) return faults
  }
  return []
}

function messagesOf(rows: unknown[]): string[] {
  return rows.map((row) => String(Object.values(row as object)[0]).replace(/\s*\n\s*/g, ' ')).filter((message) => message !== 'ok')
}

function isDamage(error: unknown): boolean {
  const code = codeOf(error)
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB'
}

function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
