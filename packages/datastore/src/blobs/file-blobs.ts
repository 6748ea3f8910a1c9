import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { StoreError } from '../analytical/analytical.ts'
import type { BlobDigest, Blobs } from './blobs.ts'

const digestForm = /^[0-9a-f]{64}$/

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function toFailure(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StoreError('full', 'the disk of the blobs is full', { cause: error })
  if (code === 'EMFILE' || code === 'ENFILE') return new StoreError('busy', 'too many files are open', { cause: error })
  return code === '' ? error : new StoreError('failed', `the blobs could not be written or read: ${String(error)}`, { cause: error })
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function writeAll(file: FileHandle, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<{ digest: string; sizeBytes: number }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const part of content instanceof Uint8Array ? [content] : content) {
    hash.update(part)
    for (let at = 0; at < part.length;) at += (await file.write(part, at)).bytesWritten
    sizeBytes += part.length
  }
  await file.sync()
  return { digest: hash.digest('hex'), sizeBytes }
}

/** Blobs as files `aa/bb/digest` under `root`. A file is there whole or not at all. */
export function fileBlobs(root: string): Blobs {
  /** @throws StoreError `data` for anything but a digest, so no path leads out of the root. */
  function pathOf(digest: BlobDigest): string {
    if (!digestForm.test(digest))
      throw new StoreError('data', `${JSON.stringify(digest.slice(0, 80))} is not a digest of 64 hexadecimal digits`)
    return join(root, digest.slice(0, 2), digest.slice(2, 4), digest)
  }

  async function makeFolder(path: string): Promise<void> {
    const first = await mkdir(path, { recursive: true, mode: 0o700 })
    if (first === undefined) return
    for (let folder = path; folder !== dirname(first); folder = dirname(folder)) await syncFolder(dirname(folder))
  }

  /** Moves a finished file to its place; the entry is on disk when it resolves. */
  async function place(temporary: string, digest: BlobDigest): Promise<void> {
    const path = pathOf(digest)
    await makeFolder(dirname(path))
    await rename(temporary, path)
    await syncFolder(dirname(path))
  }

  return {
    async put(content) {
      const temporary = join(root, 'incoming', randomUUID())
      try {
        await makeFolder(dirname(temporary))
        const file = await open(temporary, 'wx', 0o600)
        const written = await writeAll(file, content).finally(() => file.close())
        await place(temporary, written.digest)
        return written
      } catch (error) {
        await rm(temporary, { force: true })
        throw toFailure(error)
      }
    },
    async get(digest, range) {
      const path = pathOf(digest)
      try {
        const file = await open(path, 'r')
        const { start, end } = { start: 0, end: Infinity, ...range }
        if (end > start) return file.createReadStream({ start, end: end - 1 })
        await file.close()
        return Readable.from([])
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined
        throw toFailure(error)
      }
    },
    async stat(digest) {
      const path = pathOf(digest)
      try {
        return { digest, sizeBytes: (await stat(path)).size }
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined
        throw toFailure(error)
      }
    },
    async delete(digest) {
      const path = pathOf(digest)
      await rm(path, { force: true }).catch((error: unknown) => {
        throw toFailure(error)
      })
    },
  }
}
