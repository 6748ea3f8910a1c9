import { type Checkpoint, formatTimestamp } from '@heddle/core-api'
import type { BlobStat, Micros } from '@heddle/datastore'

/** Files of a checkpoint by name, with digest and size. Empty: the base model as it is. */
export type CheckpointFiles = Readonly<Record<string, BlobStat>>

/** Saved weights of a model as they are stored. */
export interface CheckpointRow {
  id: string
  model_id: string
  step: number
  metrics: Readonly<Record<string, number>>
  files: CheckpointFiles
  job_id: string | null
  created_at: Micros
  /** When a person marked it as kept, and who. Null: it is not. */
  kept_at: Micros | null
  kept_by: string | null
}

/** A checkpoint that nobody has marked yet. */
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
