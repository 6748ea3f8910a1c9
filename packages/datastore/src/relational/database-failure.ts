import { StoreError } from '../work/store-error.ts'
import { codeOf } from '../error-code.ts'
import { messageOf } from '../message-of.ts'

const lostConnection = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08001',
])

/** Values that PostgreSQL cannot store: a string with NUL, and a number out of range. */
const unstorable = new Set(['22021', '22P05', '22003'])

/** Translates an error of the database into a StoreError. Errors of a statement, such as a violated constraint, are returned unchanged. */
export function toDatabaseFailure(error: unknown): unknown {
  const code = codeOf(error)
  const message = messageOf(error)
  if (code === 'SQLITE_FULL' || code === '53100')
    return new StoreError('full', `the disk of the database is full: ${message}`, { cause: error })
  if (code.startsWith('SQLITE_BUSY') || code === '40P01')
    return new StoreError('busy', `the database is busy: ${message}`, { cause: error })
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || code === 'XX001' || code === 'XX002')
    return new StoreError('damaged', 'the relational database is damaged; stop the server, run `heddle doctor` and restore a backup', {
      cause: error,
    })
  if (code.startsWith('SQLITE_IOERR')) return new StoreError('failed', `the database failed: ${message}`, { cause: error })
  // An abort of the request cancels a statement with the same code; `runUntilAborted` has already handled that.
  if (code === '57014') return new StoreError('timeout', `the database took too long: ${message}`, { cause: error })
  if (unstorable.has(code)) return new StoreError('data', `the database cannot store a value: ${message}`, { cause: error })
  const isLost = lostConnection.has(code) || /^(timeout exceeded when trying to connect|Connection terminated)/.test(message)
  return isLost ? new StoreError('unavailable', `cannot reach the database: ${message}`, { cause: error }) : error
}

/** Runs `work` and translates its errors. */
export function translated<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toDatabaseFailure(error)
  }
}

/** Awaits `work` and translates its errors. */
export async function translatedAsync<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw toDatabaseFailure(error)
  }
}
