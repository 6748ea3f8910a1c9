import { mkdir, open, rmdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and its parents. Durable once it resolves: the folders that it created, and all below `root`, because a concurrent
 * creator may not have synced them yet, or may have been killed before it did.
 */
export async function makeFolder(path: string, root?: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  const made = first === undefined ? [] : foldersBelow(dirname(resolve(first)), resolve(path))
  const below = root === undefined ? [] : foldersBelow(resolve(root), resolve(path))
  try {
    for (const folder of new Set([...made, ...below])) await syncFolder(dirname(folder))
  } catch (error) {
    // The next caller creates them again and then syncs them.
    for (const folder of made) await rmdir(folder).catch(() => undefined)
    throw error
  }
}

/** `path` and its parents, up to but excluding `root`. */
function foldersBelow(root: string, path: string): string[] {
  return path === root ? [] : [path, ...foldersBelow(root, dirname(path))]
}

/** Syncs the entries of a folder to disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
