import { StoreError } from './work/store-error.ts'
import { codeOf } from './error-code.ts'

/** Translates an error of the file system into a StoreError; returns other errors unchanged. */
export function toFileFailure(error: unknown, place: 'blobs' | 'journal' | 'data folder'): unknown {
  const code = codeOf(error)
  if (error instanceof StoreError || !/^E[A-Z]+$/.test(code)) return error
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StoreError('full', `the disk of the ${place} is full`, { cause: error })
  if (code === 'EMFILE' || code === 'ENFILE') return new StoreError('busy', 'too many files are open', { cause: error })
  return new StoreError('failed', `the ${place} could not be written or read: ${String(error)}`, { cause: error })
}
