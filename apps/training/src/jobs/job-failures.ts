import { isApiError } from '@heddle/core-api'
import { codeOf, StoreError } from '@heddle/datastore'
import { JobFailure } from '@heddle/jobs'
import { EngineError } from '../engine/engine.ts'
import { TrainingInputError } from '../sequences/training-input-error.ts'
import { TrainingFailure } from '../training/training-failure.ts'

const fullDisk = 'no space is left on the disk of the server'

/** Classifies an error of a job: permanent if another attempt would meet it again. Messages of unexpected errors may contain anything, so users do not see them. */
export function toJobFailure(error: unknown, fullDiskRetryMs = 5_000): JobFailure {
  if (error instanceof JobFailure) return error
  if (error instanceof TrainingFailure || error instanceof TrainingInputError)
    return new JobFailure(error.message, { isPermanent: true, cause: error })
  if (isApiError(error)) return new JobFailure(error.message, { isPermanent: error.status < 500 && error.status !== 429, cause: error })
  if (error instanceof EngineError) return new JobFailure(error.message, { isPermanent: error.kind !== 'unavailable', cause: error })
  if (error instanceof StoreError && error.kind === 'damaged') return new JobFailure(error.message, { isPermanent: true, cause: error })
  if (isFullDisk(error)) return new JobFailure(fullDisk, { retryAfterMs: fullDiskRetryMs, cause: error })
  return new JobFailure(`the job failed unexpectedly (${error instanceof Error ? error.name : typeof error})`, { cause: error })
}

function isFullDisk(error: unknown): boolean {
  if (error instanceof StoreError) return error.kind === 'full'
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
}
