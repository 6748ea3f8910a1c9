import { StoreError, type StoreErrorKind } from '../work/store-error.ts'
import { describePartDamage, findPartDamage } from './parts/part-damage.ts'

const kindOfCode = new Map<number, StoreErrorKind>([
  [159, 'timeout'],
  [160, 'timeout'],
  [209, 'timeout'],
  [241, 'memory'],
  [396, 'memory'],
  [202, 'busy'],
  [252, 'busy'],
  [210, 'unavailable'],
  [236, 'unavailable'],
  [279, 'unavailable'],
  [242, 'unavailable'],
  // Of replicas: too few live ones, an earlier quorum that is not reached yet, one that lacks rows, and an insert whose end is not known.
  [285, 'unavailable'],
  [286, 'unavailable'],
  [289, 'unavailable'],
  [319, 'unavailable'],
  [243, 'full'],
  [167, 'complex'],
  [168, 'complex'],
  [306, 'complex'],
  [718, 'complex'],
])

/** Codes caused by values: of rows in an insert, of parameters in a query. */
const dataCodes = new Set([6, 26, 27, 32, 33, 38, 41, 53, 69, 70, 72, 117, 131, 190, 307, 349, 386, 427, 441, 457, 636, 675])
const lostConnection = /ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|socket hang up|Timeout error/
/** Limits of the parser, which share the code of all syntax errors. */
const tooComplex = /Max query size exceeded|Maximum parse depth|Maximum amount of backtracking/
const noSpace = /No space left on device|ENOSPC|errno: 28\b|NOT_ENOUGH_SPACE/

function codeOf(error: Error): number {
  const code = 'code' in error ? Number(error.code) : Number.NaN
  return Number.isInteger(code) ? code : Number(/^Code: (\d+)/.exec(error.message)?.[1] ?? 0)
}

function kindOf(error: Error): StoreErrorKind {
  if (noSpace.test(error.message)) return 'full'
  const code = codeOf(error)
  const kind = kindOfCode.get(code)
  if (kind) return kind
  if (tooComplex.test(error.message)) return 'complex'
  if (dataCodes.has(code)) return 'data'
  const systemCode = 'code' in error ? String(error.code) : ''
  return lostConnection.test(systemCode) || (code === 0 && lostConnection.test(error.message)) ? 'unavailable' : 'failed'
}

/** Translates an error of the client into a StoreError. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  if (!(error instanceof Error)) return new StoreError('failed', String(error))
  const damage = findPartDamage(codeOf(error), error.message)
  if (damage) return new StoreError('damaged', describePartDamage(damage), { cause: error })
  const kind = kindOf(error)
  return new StoreError(kind, `${subject(kind)}: ${error.message}`, { cause: error })
}

function subject(kind: StoreErrorKind): string {
  switch (kind) {
    case 'timeout':
      return 'the query exceeded its time limit (max_execution_time)'
    case 'memory':
      return 'the query exceeded its memory limit (max_memory_usage) or result limit (max_result_bytes)'
    case 'busy':
      return 'too many statements are queued'
    case 'unavailable':
      return 'the store is unreachable'
    case 'full':
      return 'the disk of the store is full'
    case 'data':
      return 'the store rejected a value'
    case 'complex':
      return 'the statement is too large or too deep for the engine'
    case 'cancelled':
      return 'the statement was cancelled'
    case 'damaged':
      return 'stored data is damaged'
    case 'failed':
      return 'the store failed'
  }
}
