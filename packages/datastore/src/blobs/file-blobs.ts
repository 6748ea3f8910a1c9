import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { makeFolder, syncFolder } from '../durable-folders.ts'
import type { StoreError } from '../work/store-error.ts'
import { codeOf } from '../error-code.ts'
import { checkedDigest, isBlobDigest } from './blob-digest.ts'
import type { BlobDigest, Blobs, StoredBlob } from './blobs.ts'
import { toFileFailure } from '../file-failure.ts'
import { parseStoreId, storeIdName, storeIdText } from './store-id-file.ts'
import { stageBlobs } from './stage-blobs.ts'
import { filesIn, stagedFiles } from './staged-files.ts'
import { type StoredBlobs, verifiedBlobs } from './verified-blobs.ts'

/** Blobs as files `aa/bb/digest` under `root`. Files appear atomically. `onDamage` is called each time damage is met. */
export function fileBlobs(root: string, { onDamage }: { onDamage?: (error: StoreError) => void } = {}): Blobs {
  return verifiedBlobs({ blobs: storedFiles(root), rereads: true, ...(onDamage && { onDamage }) })
}

function storedFiles(root: string): StoredBlobs {
  const staged = stagedFiles(join(root, 'incoming'))
  const pathOf = (digest: BlobDigest) => {
    checkedDigest(digest)
    return join(root, digest.slice(0, 2), digest.slice(2, 4), digest)
  }

  /** Moves a complete file to its path, replacing one with the same content. Durable once it resolves. */
  async function place(temporary: string, digest: BlobDigest): Promise<void> {
    const path = pathOf(digest)
    await makeFolder(dirname(path), root)
    await rename(temporary, path)
    await syncFolder(dirname(path))
  }

  async function statOf(path: string): Promise<StoredBlob | undefined> {
    try {
      const { size, mtimeMs } = await stat(path)
      return { digest: basename(path), sizeBytes: size, keptAt: Math.floor(mtimeMs * 1000) }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw toFileFailure(error, 'blobs')
    }
  }

  return {
    ...stageBlobs(staged, async ({ path, digest }) => {
      await place(path, digest).catch((error: unknown) => {
        throw toFileFailure(error, 'blobs')
      })
    }),
    async get(digest, { start = 0, end = Infinity } = {}) {
      const path = pathOf(digest)
      try {
        const file = await open(path, 'r')
        if (end > start) return file.createReadStream({ start, end: end - 1 })
        await file.close()
        return Readable.from([])
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined
        throw toFileFailure(error, 'blobs')
      }
    },
    async stat(digest) {
      return statOf(pathOf(digest))
    },
    async *list() {
      for await (const outer of filesIn(root)) {
        if (!/^[0-9a-f]{2}$/.test(basename(outer))) continue
        for await (const inner of filesIn(outer)) {
          for await (const path of filesIn(inner)) {
            const kept = isBlobDigest(basename(path)) ? await statOf(path) : undefined
            if (kept) yield kept
          }
        }
      }
    },
    async delete(digest) {
      const path = pathOf(digest)
      await rm(path, { force: true }).catch((error: unknown) => {
        throw toFileFailure(error, 'blobs')
      })
    },
    sweepStaged: (before) => staged.sweep(before),
    async storeId() {
      const text = await readFile(join(root, storeIdName), 'utf8').catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return undefined
        throw toFileFailure(error, 'blobs')
      })
      return text === undefined ? undefined : parseStoreId(text, join(root, storeIdName))
    },
    async setStoreId(id) {
      const { path } = await staged.write(storeIdText(id))
      try {
        await rename(path, join(root, storeIdName))
        await syncFolder(root)
      } catch (error) {
        throw toFileFailure(error, 'blobs')
      }
    },
  }
}
