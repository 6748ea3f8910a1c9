import type { TrainingFile } from '@heddle/core-api/types'
import type { BlobDigest, Micros } from '@heddle/datastore'
import type { CheckedTrainingFile } from './check-training-file.ts'

/** An uploaded file as it is stored. */
export interface TrainingFileRow extends CheckedTrainingFile {
  id: string
  /** `entity/project`. */
  project_id: string
  filename: string
  sha256: BlobDigest
  size_bytes: number
  created_by: string
  created_at: Micros
}

/** An uploaded file as it travels. */
export function toTrainingFile({ id, size_bytes, created_at, filename, error }: TrainingFileRow): TrainingFile {
  return {
    id,
    object: 'file',
    bytes: size_bytes,
    created_at: Math.floor(created_at / 1e6),
    filename,
    purpose: 'fine-tune',
    status: error === null ? 'processed' : 'error',
    status_details: error,
  }
}
