import { createHash, randomUUID } from 'node:crypto'
import { open, opendir, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Micros } from '../analytical/table.ts'
import { diskFullError, readDiskSpace } from '../disk-space.ts'
import { makeFolder } from '../durable-folders.ts'
import { codeOf } from '../error-code.ts'
import type { BlobStat } from './blobs.ts'
import { toFileFailure } from '../file-failure.ts'

/** A content in a file of its own, synced to disk. */
export interface StagedFile extends BlobStat {
  path: string
}

/** The folder in which contents wait under random names until their digest is known. */
export interface StagedFiles {
  /**
   * Writes a content and hashes it on the way. Nothing is left of one that breaks off.
   * @throws StoreError, `full` before the disk is: the rows of the other stores need the rest
   */
  write(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StagedFile>
  /** Removes files that were last written before the time; resolves to how many. */
  sweep(before: Micros): Promise<number>
}

/** `folder` is made when first needed. */
export function stagedFiles(folder: string): StagedFiles {
  return {
    async write(content) {
      const path = join(folder, randomUUID())
      try {
        await makeFolder(folder)
        const file = await open(path, 'wx', 0o600)
        return { path, ...(await writeAll(file, content, roomIn(folder)).finally(() => file.close())) }
      } catch (error) {
        await removeStaged(path)
        throw toFileFailure(error, 'blobs')
      }
    },
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

/** Bytes of a file that are written before the disk is looked at again. */
const lookEveryBytes = 1 << 20

/** Refuses bytes of one file that would leave too little of the disk. */
function roomIn(folder: string): (bytes: number) => Promise<void> {
  let granted = 0
  return async (bytes) => {
    if (bytes > granted) {
      granted = bytes + lookEveryBytes
      const room = await readDiskSpace(folder)
      if (room.free - granted < room.reserve) throw diskFullError(room)
    }
    granted -= bytes
  }
}

type AssertRoom = ReturnType<typeof roomIn>

/** What cannot be removed stays for the sweep. */
export async function removeStaged(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined)
}

async function writeAll(file: FileHandle, content: Uint8Array | AsyncIterable<Uint8Array>, assertRoom: AssertRoom): Promise<BlobStat> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const part of content instanceof Uint8Array ? [content] : content) {
    await assertRoom(part.length)
    hash.update(part)
    for (let at = 0; at < part.length;) at += (await file.write(part, at)).bytesWritten
    sizeBytes += part.length
  }
  await file.sync()
  return { digest: hash.digest('hex'), sizeBytes }
}

/** Paths of the entries of a folder, none when it is not there. */
export async function* filesIn(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) yield join(folder, entry.name)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw toFileFailure(error, 'blobs')
  }
}

/** Undefined when the file is gone. */
async function changedAt(path: string): Promise<Micros | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found && Math.floor(found.mtimeMs * 1000)
}
