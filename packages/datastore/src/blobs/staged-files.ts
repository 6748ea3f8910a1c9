import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, opendir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Micros } from '../micros.ts'
import { diskFullError, readDiskSpace } from '../disk-space.ts'
import { makeFolder } from '../durable-folders.ts'
import { codeOf } from '../error-code.ts'
import type { BlobStat } from './blobs.ts'
import { toFileFailure } from '../file-failure.ts'

/** A staged upload in a file, synced to disk. */
export interface StagedFile extends BlobStat {
  path: string
}

/** Staged uploads in a folder, under random names until their digest is known. */
export interface StagedFiles {
  /**
   * Writes and hashes the content. Leaves nothing behind on failure.
   * @throws StoreError, `full` before the disk is full: the rows of the other stores need the reserve
   */
  write(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StagedFile>
  /**
   * Takes over a complete file, syncs and hashes it, without a copy if it is on the same disk. The original path is removed, even on failure. @throws
   * as `write`
   */
  take(path: string): Promise<StagedFile>
  /** Deletes files last written before the time. Resolves to their number. */
  sweep(before: Micros): Promise<number>
}

/** `folder` is created on first use. */
export function stagedFiles(folder: string): StagedFiles {
  async function inNewFile(work: (path: string) => Promise<BlobStat>): Promise<StagedFile> {
    const path = join(folder, randomUUID())
    try {
      await makeFolder(folder)
      return { path, ...(await work(path)) }
    } catch (error) {
      await removeStaged(path)
      throw toFileFailure(error, 'blobs')
    }
  }

  async function writeTo(path: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<BlobStat> {
    const file = await open(path, 'wx', 0o600)
    return writeAll(file, content, spaceCheck(folder)).finally(() => file.close())
  }

  return {
    write: (content) => inNewFile((path) => writeTo(path, content)),
    take: (given) =>
      inNewFile(async (path) => {
        try {
          await rename(given, path)
        } catch (error) {
          if (codeOf(error) === 'EXDEV') return await writeTo(path, createReadStream(given))
          throw error
        }
        const file = await open(path, 'r+')
        return hashAll(file).finally(() => file.close())
      }).finally(() => removeStaged(given)),
    async sweep(before) {
      let removed = 0
      for await (const path of filesIn(folder)) {
        if (((await changedAt(path)) ?? before) >= before) continue
        await rm(path, { force: true })
        removed++
      }
      return removed
    },
  }
}

/** Bytes written between two checks of the free space. */
const checkEveryBytes = 1 << 20

/** Rejects bytes of one file that would use the reserve of the disk. */
function spaceCheck(folder: string): (bytes: number) => Promise<void> {
  let granted = 0
  return async (bytes) => {
    if (bytes > granted) {
      granted = bytes + checkEveryBytes
      const space = await readDiskSpace(folder)
      if (space.free - granted < space.reserve) throw diskFullError(space)
    }
    granted -= bytes
  }
}

type AssertSpace = ReturnType<typeof spaceCheck>

/** Ignores errors: the sweep removes leftovers. */
export async function removeStaged(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined)
}

async function writeAll(file: FileHandle, content: Uint8Array | AsyncIterable<Uint8Array>, assertSpace: AssertSpace): Promise<BlobStat> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const part of content instanceof Uint8Array ? [content] : content) {
    await assertSpace(part.length)
    hash.update(part)
    for (let at = 0; at < part.length;) at += (await file.write(part, at)).bytesWritten
    sizeBytes += part.length
  }
  await file.sync()
  return { digest: hash.digest('hex'), sizeBytes }
}

const readAtOnce = 1 << 20

/** Reads and syncs a complete file. */
async function hashAll(file: FileHandle): Promise<BlobStat> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const part = Buffer.allocUnsafe(readAtOnce)
  for (;;) {
    const { bytesRead } = await file.read(part, 0, readAtOnce, sizeBytes)
    if (bytesRead === 0) break
    hash.update(part.subarray(0, bytesRead))
    sizeBytes += bytesRead
  }
  await file.chmod(0o600)
  await file.sync()
  return { digest: hash.digest('hex'), sizeBytes }
}

/** Paths of the entries of a folder; none when it does not exist. */
export async function* filesIn(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) yield join(folder, entry.name)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw toFileFailure(error, 'blobs')
  }
}

/** Undefined when the file does not exist. */
async function changedAt(path: string): Promise<Micros | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found && Math.floor(found.mtimeMs * 1000)
}
