import { accessSync, chmodSync, constants, type Stats, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import Libsql from 'libsql'
import { StoreError } from '../work/store-error.ts'
import { codeOf } from '../error-code.ts'
import { makeFolder } from '../durable-folders.ts'
import { describeHolder, noteHolder } from './lock-holder.ts'
import { assertLocksReachOthers } from './lock-reach.ts'

/** The file in a folder whose lock decides who owns the folder. It is empty, is never removed, and must be opened only through this module. */
export const lockFile = 'folder.lock'

export interface FolderLockOptions {
  /** Created if missing. */
  folder: string
  /** `exclusive`: no other process has the folder. `shared`: only others with `shared`. */
  mode: 'exclusive' | 'shared'
  /** The use of the folder, such as `heddle serve`, for the message that another process gets. */
  purpose: string
}

export interface FolderLock {
  /** False once the folder was removed, moved or replaced: this process's writes to it are lost, and other processes may have the path. */
  isHeld(): Promise<boolean>
  /** Releases the lock; again it does nothing. The lock of a process that ends in any way is released by the kernel. */
  release(): void
}

/**
 * Locks a folder for this process by a lock of the kernel, before anything in the folder is touched. It applies to all processes on one kernel,
 * whatever their container, host name or user, and to other machines if the file system shares its locks.
 * @throws StoreError `unavailable` that names the folder, its owner and the remedy, or reports that the file system has no such locks
 */
export async function lockFolder({ folder, mode, purpose }: FolderLockOptions): Promise<FolderLock> {
  await makeFolder(folder)
  accessSync(folder, constants.W_OK | constants.X_OK)
  await assertLocksReachOthers(folder)
  const path = join(folder, lockFile)
  const file = openLockFile(path, folder)
  try {
    takeLock(file, mode)
    chmodSync(path, 0o600)
    if (mode === 'exclusive') noteHolder(folder, purpose)
    const locked = statSync(path)
    return {
      isHeld: async () => isSame(locked, await stat(path).catch(() => undefined)),
      release: () => unlock(file),
    }
  } catch (error) {
    unlock(file)
    throw toLockFailure(error, folder)
  }
}

/** Closing alone releases nothing until the connection is garbage. */
function unlock(file: Libsql.Database): void {
  // Any other use of a closed connection ends the process.
  if (!file.open) return
  if (file.inTransaction) file.exec('ROLLBACK')
  file.close()
}

function openLockFile(path: string, folder: string): Libsql.Database {
  try {
    return new Libsql(path)
  } catch (error) {
    throw toLockFailure(error, folder)
  }
}

/**
 * SQLite locks the file by `fcntl`. Those locks belong to the process, and would be lost if it closed the file in any other way, which
 * SQLite takes care of for its own connections.
 */
function takeLock(file: Libsql.Database, mode: FolderLockOptions['mode']): void {
  file.pragma('busy_timeout = 0')
  if (mode === 'exclusive') {
    file.exec('BEGIN EXCLUSIVE')
    return
  }
  file.exec('BEGIN')
  file.prepare('SELECT count(*) FROM sqlite_master').all()
}

function isSame(locked: Stats, found: Stats | undefined): boolean {
  return found !== undefined && found.ino === locked.ino && found.dev === locked.dev
}

/** Why the lock was not taken, for the operator; other errors are returned unchanged. */
export function toLockFailure(error: unknown, folder: string): unknown {
  const code = codeOf(error)
  if (code.startsWith('SQLITE_BUSY')) {
    const text = `data folder ${folder} is in use by ${describeHolder(folder)}; stop that process, or choose another folder with --data-dir`
    return new StoreError('unavailable', text, { cause: error })
  }
  if (!code.startsWith('SQLITE_')) return error
  const text =
    `cannot lock data folder ${folder} (${code}): without file locks two processes would damage it; ` +
    'use a local disk, or a file system with working fcntl locks, and choose it with --data-dir'
  return new StoreError('unavailable', text, { cause: error })
}
