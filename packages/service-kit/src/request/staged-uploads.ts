import type { StagedUpload, StageUpload } from '../routing/mount-options.ts'

/** The staged uploads of one request. */
export interface StagedUploads {
  stage: StageUpload
  /** Drops all uploads that no handler kept, including those still arriving. */
  dropAll(): Promise<void>
}

/** Tracks what a request has staged, so that it is dropped at the end of the request. */
export function trackStagedUploads(stageUpload: StageUpload): StagedUploads {
  const uploads: Promise<StagedUpload>[] = []
  return {
    stage(content) {
      const upload = stageUpload(content)
      uploads.push(upload)
      return upload
    },
    async dropAll() {
      const settled = await Promise.allSettled(uploads)
      await Promise.all(settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value.drop()] : [])))
    },
  }
}
