import type { Checkpoint } from '@heddle/core-api'
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
}

/** A checkpoint as it travels. */
export function toCheckpoint({ id, step, metrics }: Pick<CheckpointRow, 'id' | 'step' | 'metrics'>): Checkpoint {
  return { id, step, metrics: { ...metrics } }
}
