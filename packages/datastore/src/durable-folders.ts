import { mkdir, open, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a folder with those above it, all of them on disk when it resolves. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  const made: string[] = []
  for (let folder = path; folder !== dirname(first); folder = dirname(folder)) made.push(folder)
  try {
    for (const folder of made) await syncFolder(dirname(folder))
  } catch (error) {
    // Whoever comes next makes them anew, and so sees to it that they are on disk.
    for (const folder of made) await rmdir(folder).catch(() => undefined)
    throw error
  }
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
