import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Blobs, type BlobStat, StoreError } from '@heddle/datastore'
import { writeNewFile } from '../checkpoint-files/write-new-file.ts'
import type { Engine } from '../engine/engine.ts'
import { orAborted } from '../engine/or-aborted.ts'
import type { CheckpointFiles } from '../checkpoint-files/stored-files.ts'
import type { Scratch } from '../scratch.ts'
import type { HeldVersion, ModelVersions, VersionOf } from './model-versions.ts'

export interface ModelVersionsOptions {
  blobs: Blobs
  engine: Pick<Engine, 'unload'>
  scratch: Scratch
  /** Bytes of unused checkpoints that are kept here for the next use. Default 2 GiB. */
  maxIdleBytes?: number
}

interface Entry {
  key: string
  /** Where the files are when it resolves. */
  folder: Promise<string>
  sizeBytes: number
  holders: number
}

const defaultIdleBytes = 2 * 2 ** 30

/** Keeps the checkpoints that were used last. */
export function createModelVersions({ blobs, engine, scratch, maxIdleBytes = defaultIdleBytes }: ModelVersionsOptions): ModelVersions {
  /** The least recently used first. */
  const entries = new Map<string, Entry>()

  function open(key: string, files: CheckpointFiles): Entry {
    const known = entries.get(key)
    const entry = known ?? { key, folder: bring(key, files), sizeBytes: sizeOf(files), holders: 0 }
    entries.delete(key)
    entries.set(key, entry)
    // A failure rejects those waiting for it; the next use retries.
    if (!known) entry.folder.catch(() => entries.get(key) === entry && entries.delete(key))
    return entry
  }

  /** Copies the files into a folder that appears when it is complete. */
  async function bring(key: string, files: CheckpointFiles): Promise<string> {
    const folder = join(await scratch.newFolder('checkpoints'), key.replaceAll('/', '-'))
    const unfinished = `${folder}.unfinished`
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { mode: 0o700 })
    try {
      await copyFiles(blobs, files, unfinished)
      await rename(unfinished, folder)
      return folder
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true })
      throw error
    }
  }

  async function removeEntry(entry: Entry): Promise<void> {
    entries.delete(entry.key)
    await engine.unload(entry.key)
    await rm(await entry.folder, { recursive: true, force: true })
  }

  function removeIdle(): void {
    const idle = [...entries.values()].filter(({ holders }) => holders === 0)
    let bytes = idle.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    for (const entry of idle) {
      if (bytes <= maxIdleBytes) return
      bytes -= entry.sizeBytes
      // What could not be removed is removed at the next start.
      void removeEntry(entry).catch(() => undefined)
    }
  }

  return {
    async hold({ baseModel, checkpoint }: VersionOf, signal): Promise<HeldVersion> {
      if (!checkpoint || Object.keys(checkpoint.files).length === 0)
        return { version: { key: `base/${baseModel}/`, baseModel, folder: null }, release: () => undefined }
      const entry = open(keyOf(checkpoint.model_id, checkpoint.step), checkpoint.files)
      entry.holders++
      const release = once(() => {
        entry.holders--
        removeIdle()
      })
      try {
        const folder = await orAborted(entry.folder, signal)
        signal?.throwIfAborted()
        return { version: { key: entry.key, baseModel, folder }, release }
      } catch (error) {
        release()
        throw error
      }
    },

    async forget(modelId, step) {
      const prefix = step === undefined ? `${modelId}/` : keyOf(modelId, step)
      for (const entry of entries.values()) if (entry.key.startsWith(prefix) && entry.holders === 0) await removeEntry(entry)
      await engine.unload(prefix)
    },
  }
}

const keyOf = (modelId: string, step: number) => `${modelId}/${step}/`
const sizeOf = (files: CheckpointFiles) => Object.values(files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

/**
 * Copies blobs to files, and checks them.
 * @throws StoreError `damaged` that names the file and the blob; the blob is unchanged
 */
export async function copyFiles(blobs: Blobs, files: CheckpointFiles, folder: string): Promise<void> {
  for (const [name, file] of Object.entries(files)) await copyFile(blobs, file, { name, path: join(folder, name) })
}

async function copyFile(blobs: Blobs, { digest }: BlobStat, { name, path }: { name: string; path: string }): Promise<void> {
  try {
    await writeNewFile(path, await blobs.read(digest))
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'damaged') throw error
    throw new StoreError('damaged', `the file ${name} of a checkpoint cannot be read: ${error.message}`, { cause: error })
  }
}
