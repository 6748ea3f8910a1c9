import { StoreError } from './store-error.ts'

/** The error of work that was not started, or not finished, because its signal aborted. */
export function cancelledError(what: string, { reason }: AbortSignal): StoreError {
  return new StoreError('cancelled', `${what} was cancelled: the caller no longer waits for its result`, { cause: reason })
}

/** @throws StoreError `cancelled` when the signal has aborted */
export function assertNotAborted(what: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelledError(what, signal)
}
