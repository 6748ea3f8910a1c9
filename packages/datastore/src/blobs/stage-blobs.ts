import { createReadStream } from 'node:fs'
import type { Blobs, StagedBlob } from './blobs.ts'
import { removeStaged, type StagedFile, type StagedFiles } from './staged-files.ts'

/** Staging, shared by all blob stores: `place` turns a complete file into a blob. */
export function stageBlobs(staged: StagedFiles, place: (file: StagedFile) => Promise<void>): Pick<Blobs, 'stage' | 'stageFile' | 'put'> {
  function toStaged(file: StagedFile): StagedBlob {
    let isKept = false
    return {
      digest: file.digest,
      sizeBytes: file.sizeBytes,
      read: () => createReadStream(file.path, { highWaterMark: 2 ** 20 }),
      async keep() {
        if (!isKept) await place(file)
        isKept = true
      },
      drop: () => removeStaged(file.path),
    }
  }

  const stage: Blobs['stage'] = async (content) => toStaged(await staged.write(content))
  return {
    stage,
    stageFile: async (path) => toStaged(await staged.take(path)),
    async put(content) {
      const blob = await stage(content)
      await blob.keep().finally(() => blob.drop())
      return { digest: blob.digest, sizeBytes: blob.sizeBytes }
    },
  }
}
