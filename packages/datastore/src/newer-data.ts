import { StoreError } from './analytical/analytical.ts'

/** The refusal of data on which a later version has taken a step that this one does not know. */
export function newerData(step: string): StoreError {
  const unknown = JSON.stringify(step)
  return new StoreError(
    'failed',
    `the data was written by a newer version of Heddle (its step ${unknown} is unknown here); run that version, or restore a backup from before it`,
  )
}
