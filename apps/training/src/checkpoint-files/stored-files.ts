import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs, BlobStat, StagedBlob, WorkScope } from '@heddle/datastore'
import type { KeepBlobs } from '../keep-blobs.ts'

/** Files of a checkpoint by name, with digest and size. Empty: the base model as it is. */
export type CheckpointFiles = Readonly<Record<string, BlobStat>>

/** Stores the files of a folder as blobs, while `work` writes the row that names them. Each leaves the folder, which has no folders in it; on the disk of the data folder without a copy. */
export type StoreFiles = <T>(scope: WorkScope, folder: string, work: (files: CheckpointFiles) => Promise<T>) => Promise<T>

export function createStoreFiles(blobs: Blobs, keepBlobs: KeepBlobs): StoreFiles {
  return async (scope, folder, work) => {
    const staged: StagedBlob[] = []
    try {
      const files: Record<string, BlobStat> = {}
      for (const name of (await readdir(folder)).toSorted()) {
        const blob = await blobs.stageFile(join(folder, name))
        staged.push(blob)
        files[name] = { digest: blob.digest, sizeBytes: blob.sizeBytes }
      }
      return await keepBlobs(scope, staged, () => work(files))
    } finally {
      for (const blob of staged) await blob.drop()
    }
  }
}

/** A new folder inside another. */
export async function newFolder(parent: string, name: string): Promise<string> {
  const folder = join(parent, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}
