import { ApiError, type ErrorCode, isApiError, type Issue } from '@heddle/core-api'
import { ModelFileError } from '../checkpoint-files/model-file-error.ts'
import { TrainingInputError } from '../sequences/training-input-error.ts'
import { TrainingFailure } from '../training/training-failure.ts'

/** An error on its way between threads: of its class only the name arrives. */
export interface TaskFailure {
  kind: 'api' | 'input' | 'training' | 'file' | 'unexpected'
  message: string
  code?: ErrorCode
  file?: ModelFileError['kind']
  issues?: Issue[]
  extra?: Record<string, unknown>
  name?: string
  stack?: string | undefined
}

export function toTaskFailure(error: unknown): TaskFailure {
  if (isApiError(error)) {
    const { code, message, issues, extra } = error
    return { kind: 'api', message, code, extra, ...(issues && { issues }) }
  }
  if (error instanceof TrainingInputError) return { kind: 'input', message: error.message }
  if (error instanceof TrainingFailure) return { kind: 'training', message: error.message }
  if (error instanceof ModelFileError) return { kind: 'file', message: error.message, file: error.kind }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  return { kind: 'unexpected', name, message, stack }
}

export function fromTaskFailure(failure: TaskFailure): Error {
  const { kind, message, code = 'internal', file = 'damaged', issues, extra = {}, name = 'Error', stack } = failure
  if (kind === 'api') return new ApiError(code, message, { extra, ...(issues && { issues }) })
  if (kind === 'input') return new TrainingInputError(message)
  if (kind === 'training') return new TrainingFailure(message)
  if (kind === 'file') return new ModelFileError(file, message)
  return Object.assign(new Error(message), { name, stack })
}
