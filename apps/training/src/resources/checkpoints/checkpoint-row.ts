import { formatTimestamp } from '@heddle/core-api'
import type { Checkpoint } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { CheckpointFiles } from '../../checkpoint-files/stored-files.ts'

/** Saved weights of a model as they are stored. */
export interface CheckpointRow {
  id: string
  model_id: string
  step: number
  metrics: Readonly<Record<string, number>>
  files: CheckpointFiles
  job_id: string | null
  created_at: Micros
  /** When it was marked as kept, and by which user. Null: it is not. */
  kept_at: Micros | null
  kept_by: string | null
}

/** A checkpoint that has not been marked yet. */
export type NewCheckpoint = Omit<CheckpointRow, 'kept_at' | 'kept_by'>

/** A checkpoint as it travels. */
export function toCheckpoint(row: NewCheckpoint & Partial<Pick<CheckpointRow, 'kept_at' | 'kept_by'>>): Checkpoint {
  const { id, step, metrics, files, kept_at = null, kept_by = null } = row
  return {
    id,
    step,
    metrics: { ...metrics },
    size_bytes: Object.values(files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    kept_at: kept_at === null ? null : formatTimestamp(kept_at),
    kept_by,
  }
}
