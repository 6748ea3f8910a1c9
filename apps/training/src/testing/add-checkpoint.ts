import { randomUUID } from 'node:crypto'
import type { BlobStat } from '@heddle/datastore'
import { sqlCheckpointsStore } from '../resources/checkpoints/checkpoints-store.sql.ts'
import type { TrainingApp } from './start-training-app.ts'

/** Adds a checkpoint that no job made, with these files. */
export async function addCheckpoint(
  { database, blobs }: Pick<TrainingApp, 'database' | 'blobs'>,
  model_id: string,
  step: number,
  contents: Readonly<Record<string, string>> = {},
): Promise<string> {
  const files: Record<string, BlobStat> = {}
  for (const [name, text] of Object.entries(contents)) files[name] = await blobs.put(Buffer.from(text))
  const id = randomUUID()
  await database
    .transaction()
    .execute((transaction) =>
      sqlCheckpointsStore(database).insert(transaction, { id, model_id, step, metrics: {}, files, job_id: null, created_at: step }),
    )
  return id
}
