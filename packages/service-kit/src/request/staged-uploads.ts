import type { StagedBody } from '@heddle/core-api/internal'

/** An upload that was received and is not yet part of the store. */
export interface StagedUpload extends StagedBody {
  /** Deletes the bytes unless they were kept. Safe to call again. */
  drop(): Promise<void>
}

/** Stages the bytes of an upload while they arrive. Leaves nothing behind when it rejects. */
export type StageUpload = (content: AsyncIterable<Uint8Array>) => Promise<StagedUpload>

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
