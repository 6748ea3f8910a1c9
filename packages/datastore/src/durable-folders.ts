import { mkdir, open, rmdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder with those above it. Those that it makes are on disk when it resolves; and those below `root`, whoever made them: another
 * that makes them may still be at it, or may have ended before it was done.
 */
export async function makeFolder(path: string, root?: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  const made = first === undefined ? [] : foldersBelow(dirname(resolve(first)), resolve(path))
  const below = root === undefined ? [] : foldersBelow(resolve(root), resolve(path))
  try {
    for (const folder of new Set([...made, ...below])) await syncFolder(dirname(folder))
  } catch (error) {
    // Whoever comes next makes them anew, and so sees to it that they are on disk.
    for (const folder of made) await rmdir(folder).catch(() => undefined)
    throw error
  }
}

/** `path` and those above it, up to `root` but without it. */
function foldersBelow(root: string, path: string): string[] {
  return path === root ? [] : [path, ...foldersBelow(root, dirname(path))]
}

/** Brings the entries of a folder to disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
