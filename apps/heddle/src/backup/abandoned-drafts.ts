import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isUuid } from '@heddle/core-api/internal'
import { codeOf, type FolderLock, lockFolder, StoreError } from '@heddle/datastore'

/** Folder in which a restore assembles the data folder, next to its final place. */
export const draftOf = (dataDir: string, id: string) => `${dataDir}.restoring-${id}`

/** Folders next to this data folder that were left behind by killed restores; those of running restores are not included. */
export async function findAbandonedDrafts(dataDir: string): Promise<string[]> {
  const found: string[] = []
  for (const path of await draftsBeside(dataDir)) {
    const lock = await lockUnlessHeld(path)
    if (lock) found.push(path)
    lock?.release()
  }
  return found
}

/** Removes the folders that killed restores left behind, and returns them. @throws errors of the file system */
export async function removeAbandonedDrafts(dataDir: string): Promise<string[]> {
  const removed: string[] = []
  for (const path of await draftsBeside(dataDir)) {
    const lock = await lockUnlessHeld(path)
    if (lock === undefined) continue
    try {
      await rm(path, { recursive: true, force: true })
      removed.push(path)
    } finally {
      lock.release()
    }
  }
  return removed
}

async function draftsBeside(dataDir: string): Promise<string[]> {
  const whole = resolve(dataDir)
  const prefix = `${basename(whole)}.restoring-`
  const names = await readdir(dirname(whole)).catch(() => [])
  return names.filter((name) => name.startsWith(prefix) && isUuid(name.slice(prefix.length))).map((name) => join(dirname(whole), name))
}

/** A restore holds the lock of its folder while it runs, and the kernel releases that of one that was killed. */
async function lockUnlessHeld(path: string): Promise<FolderLock | undefined> {
  return lockFolder({ folder: path, mode: 'exclusive', purpose: 'heddle restore' }).catch((error: unknown) => {
    if (error instanceof StoreError || isDenied(error)) return undefined
    throw error
  })
}

const isDenied = (error: unknown) => ['EACCES', 'EROFS', 'EPERM', 'ENOENT'].includes(codeOf(error))
