import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './durable-folders.ts'

/**
 * Writes a file that only its owner may read, replacing any existing one. After a crash it holds the old content or the new one, never a part.
 * Durable once it resolves. The folder must exist; one writer at a time.
 */
export async function replaceFile(path: string, content: Uint8Array): Promise<void> {
  const draft = `${path}.new`
  await rm(draft, { force: true })
  const file = await open(draft, 'wx', 0o600)
  try {
    await writeWhole(file, content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  await syncFolder(dirname(path))
}

async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length;) from += (await file.writev([bytes.subarray(from)])).bytesWritten
}
