import { StoreError } from './work/store-error.ts'

/** The error for data that a newer version has migrated with a step that this version does not know. */
export function newerData(step: string): StoreError {
  const unknown = JSON.stringify(step)
  return new StoreError(
    'failed',
    `the data was written by a newer version of Heddle (its step ${unknown} is unknown here); run that version, or restore a backup from before it`,
  )
}
