import { constants, closeSync, fdatasync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { syncFolder } from '../../durable-folders.ts'
import { codeOf } from '../../error-code.ts'
import { toFileFailure } from '../../file-failure.ts'
import { newerData } from '../../newer-data.ts'

/** A commit of a database file: the commits of one database are numbered from 1. */
export interface NumberedCommit {
  /** Id of the database; one created again has another. */
  database: string
  number: number
}

/** The number of the last acknowledged commit, in a file next to the database file. */
export interface CommitRecord {
  /** Opens the file if it is not open. Before a commit, so that a full disk refuses the transaction. @throws StoreError */
  open(): void
  /** Records a commit that is on disk. Survives the process immediately, and a power cut after `sync`. @throws StoreError */
  write(commit: NumberedCommit): void
  /** Resolves once all that was written is on disk. Callers that wait at the same time share one sync. @throws StoreError */
  sync(): Promise<void>
  close(): Promise<void>
}

/** The file next to the database file. */
export const commitRecordPath = (databasePath: string) => `${databasePath}-commits`

const format = 1
/** Each commit is written to one of two slots, in turn and in different sectors: a write that is cut short leaves the other one. */
const slotBytes = 512
const slots = 2
const syncFile = promisify(fdatasync)

/** Reads the record. Undefined if there is none, or no slot is intact. @throws StoreError if a newer version wrote it */
export function readCommitRecord(databasePath: string): NumberedCommit | undefined {
  const path = commitRecordPath(databasePath)
  const content = readIfThere(path)
  if (content === undefined) return undefined
  const commits = Array.from({ length: slots }, (_, slot) => decode(content.subarray(slot * slotBytes, (slot + 1) * slotBytes), path))
  return commits.reduce((last, commit) => (commit && commit.number >= (last?.number ?? 0) ? commit : last), undefined)
}

/** Whether a record exists without any intact slot. A record of zeros is new: the process was killed before it recorded the first commit. */
export function isCommitRecordDamaged(databasePath: string): boolean {
  const content = readIfThere(commitRecordPath(databasePath))
  return content !== undefined && content.some((byte) => byte !== 0) && readCommitRecord(databasePath) === undefined
}

/** The file is created by the first `open`. */
export function createCommitRecord(databasePath: string): CommitRecord {
  const path = commitRecordPath(databasePath)
  let file: number | undefined
  let isNew = false
  let written = 0
  let synced = 0
  let running: Promise<void> | undefined

  async function syncOnce(): Promise<void> {
    const until = written
    try {
      if (file !== undefined) await syncFile(file)
      if (isNew) await syncFolder(dirname(path))
      isNew = false
      synced = Math.max(synced, until)
    } catch (error) {
      throw toFileFailure(error, 'data folder')
    }
  }

  async function sync(): Promise<void> {
    const until = written
    while (synced < until) {
      // A sync that has begun does not cover later writes.
      running ??= syncOnce().finally(() => (running = undefined))
      await running
    }
  }

  return {
    open() {
      if (file !== undefined) return
      try {
        isNew = readIfThere(path) === undefined
        file = openSync(path, constants.O_CREAT | constants.O_RDWR, 0o600)
        if (isNew) writeSync(file, Buffer.alloc(slots * slotBytes), 0, slots * slotBytes, 0)
      } catch (error) {
        throw toFileFailure(error, 'data folder')
      }
    },
    write(commit) {
      this.open()
      try {
        writeSync(file ?? -1, encode(commit), 0, slotBytes, (commit.number % slots) * slotBytes)
      } catch (error) {
        throw toFileFailure(error, 'data folder')
      }
      written++
    },
    sync,
    async close() {
      await sync().catch(() => undefined)
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

/** One line, padded with spaces: `HEDDLE-COMMITS <format> <database> <number> <CRC-32 of the words before>`. */
function encode({ database, number }: NumberedCommit): Buffer {
  const words = `HEDDLE-COMMITS ${format} ${database} ${number}`
  return Buffer.from(`${`${words} ${crc32(words).toString(16).padStart(8, '0')}`.padEnd(slotBytes - 1)}\n`, 'latin1')
}

function decode(slot: Buffer, path: string): NumberedCommit | undefined {
  const [, words = '', version, database = '', number, checksum] =
    /^(HEDDLE-COMMITS ([0-9]{1,6}) ([0-9a-f-]{36}) ([0-9]{1,16})) ([0-9a-f]{8}) *\n$/.exec(slot.toString('latin1')) ?? []
  if (checksum === undefined || crc32(words) !== Number.parseInt(checksum, 16)) return undefined
  if (Number(version) > format) throw newerData(`${path}, format ${version}`)
  return { database, number: Number(number) }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw toFileFailure(error, 'data folder')
  }
}
