import { ApiError } from '@heddle/core-api'

/** What an error of a store has in common with those of `packages/datastore`, which this package does not import. */
interface StoreErrorLike {
  kind: unknown
  message: string
  retryAfterSeconds?: number
  /** Path of the value in the input, where it is known. */
  field?: string
}

function describeValue({ field }: StoreErrorLike): string {
  if (field === undefined) return 'The store cannot hold a value of the request'
  return `${field === '' ? 'the request' : field.slice(0, 200)} has a NUL character (U+0000), which cannot be stored or searched for; remove it`
}

export const isStoreError = (error: unknown): error is StoreErrorLike =>
  error instanceof Error && error.name === 'StoreError' && 'kind' in error

/** True for the error of a store whose caller has left: it is not delivered, and nothing went wrong. */
export function isCancelled(error: unknown): boolean {
  return isStoreError(error) && error.kind === 'cancelled'
}

/** An error for a store's failure, without the store's message, which names tables and files. Undefined for other errors. */
export function fromStore(error: unknown): ApiError | undefined {
  if (!isStoreError(error)) return undefined
  const retry = { retryAfterSeconds: error.retryAfterSeconds ?? 1 }
  switch (error.kind) {
    case 'busy':
      return new ApiError('too_many_requests', 'The store has more to do than it can; send the request again shortly', retry)
    case 'unavailable':
      return new ApiError('unavailable', 'The store is not available; send the request again shortly', retry)
    case 'full':
      return new ApiError('unavailable', 'The store has no space left', retry)
    case 'damaged':
      // Its message is made for users: it names the damaged data as the store does, and gives a remedy.
      return new ApiError('store_failed', `Stored data is damaged: ${error.message}`)
    case 'timeout':
      return new ApiError('timeout', 'The query took too long; narrow it by a date range or a filter')
    case 'memory':
      return new ApiError('store_failed', 'The query needs more memory than it may; narrow it by a date range or a filter')
    case 'cancelled':
      return new ApiError('bad_request', 'The client closed the connection before the response')
    case 'data':
      return new ApiError('bad_request', describeValue(error))
    case 'complex':
      return new ApiError('bad_request', 'The query is too large or too deep to run; use fewer conditions, conversions and fields')
    default:
      return new ApiError('store_failed', 'Temporary backend error')
  }
}
