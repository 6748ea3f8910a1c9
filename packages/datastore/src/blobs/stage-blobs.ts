import { createReadStream } from 'node:fs'
import type { Blobs } from './blobs.ts'
import { removeStaged, type StagedFile, type StagedFiles } from './staged-files.ts'

/** Staging, shared by all blob stores: `place` turns a complete file into a blob. */
export function stageBlobs(staged: StagedFiles, place: (file: StagedFile) => Promise<void>): Pick<Blobs, 'stage' | 'put'> {
  const stage: Blobs['stage'] = async (content) => {
    const file = await staged.write(content)
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

  return {
    stage,
    async put(content) {
      const blob = await stage(content)
      await blob.keep().finally(() => blob.drop())
      return { digest: blob.digest, sizeBytes: blob.sizeBytes }
    },
  }
}
