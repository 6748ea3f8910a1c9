import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Brings a folder with all that is in it to disk. What links lead to is left alone, and a file that goes meanwhile is gone. */
export async function syncFolder(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolder(join(path, entry.name))
    else if (entry.isFile()) await syncOne(join(path, entry.name)).catch(unlessGone)
  }
  await syncOne(path)
}

function unlessGone(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

/** Brings a file, or the entries of a folder, to disk. */
export async function syncOne(path: string): Promise<void> {
  const opened = await open(path, 'r')
  await opened.sync().finally(() => opened.close())
}
