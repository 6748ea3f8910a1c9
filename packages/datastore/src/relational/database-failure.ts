import { StoreError } from '../analytical/analytical.ts'
import { codeOf } from '../error-code.ts'

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

/** What PostgreSQL cannot hold: a text with NUL, and a number beyond its column. */
const unstorable = new Set(['22021', '22P05', '22003'])

/** What a failure of the database means to the caller. Errors of a statement itself, such as a constraint, stay as they are. */
export function toDatabaseFailure(error: unknown): unknown {
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (code === 'SQLITE_FULL' || code === '53100')
    return new StoreError('full', `the disk of the database is full: ${message}`, { cause: error })
  if (code.startsWith('SQLITE_BUSY') || code === '40P01')
    return new StoreError('busy', `the database is busy: ${message}`, { cause: error })
  if (code.startsWith('SQLITE_IOERR') || code === 'SQLITE_CORRUPT')
    return new StoreError('failed', `the database failed: ${message}`, { cause: error })
  if (unstorable.has(code)) return new StoreError('data', `the database cannot hold a value: ${message}`, { cause: error })
  const isLost = lostConnection.has(code) || /^(timeout exceeded when trying to connect|Connection terminated)/.test(message)
  return isLost ? new StoreError('unavailable', `the database does not answer: ${message}`, { cause: error }) : error
}

/** Runs `work` with its failures translated. */
export function translated<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toDatabaseFailure(error)
  }
}

/** Awaits `work` with its failures translated. */
export async function translatedAsync<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw toDatabaseFailure(error)
  }
}
