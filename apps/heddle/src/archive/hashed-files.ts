import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../terminal/usage-error.ts'

/** A file and its content. */
export interface HashedFile {
  /** Below the folder, with `/` between the names. */
  path: string
  bytes: number
  /** In lower-case hexadecimal. */
  sha256: string
}

/**
 * Paths of all files below a folder, in order, with `/` between names; `[]` if the folder does not exist.
 * @throws UsageError for an entry that is neither a file nor a folder: a link would lead elsewhere.
 */
export async function listFiles(root: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  const found: string[] = []
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await listFiles(root, path)))
    else if (entry.isFile()) found.push(path)
    else throw new UsageError(`${join(root, path)} is neither a file nor a folder; remove it`)
  }
  return below === '' ? found.toSorted() : found
}

/** Reads a file to its end. With `sync`, its content is on disk when it resolves. */
export async function hashFile(root: string, path: string, { sync = false } = {}): Promise<HashedFile> {
  const file = await open(join(root, path), 'r')
  try {
    const hashed = { path, ...(await hashContent(file)) }
    if (sync) await file.sync()
    return hashed
  } finally {
    await file.close()
  }
}

async function hashContent(file: FileHandle): Promise<Omit<HashedFile, 'path'>> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(1 << 20)
  for (let bytes = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, bytes)
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') }
    hash.update(buffer.subarray(0, bytesRead))
    bytes += bytesRead
  }
}
