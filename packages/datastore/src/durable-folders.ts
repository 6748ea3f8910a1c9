import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a folder with those above it, all of them on disk when it resolves. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let folder = path; folder !== dirname(first); folder = dirname(folder)) await syncFolder(dirname(folder))
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
