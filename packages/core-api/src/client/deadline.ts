import { onAbort } from './on-abort.ts'

/** A signal that fires at a timeout or when the caller aborts. */
export interface Deadline {
  readonly signal: AbortSignal
  /** True when the timeout fired before the caller aborted. */
  isExpired(): boolean
  /** Restarts the timeout. */
  restart(): void
  /** Stops the timeout until the next `restart`; the caller can still abort. */
  hold(): void
  /** Clears the timeout and the listener; the signal does not fire any more. */
  stop(): void
}

/** Starts a deadline. If the caller's signal has fired already, the deadline fires immediately. */
export function startDeadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  let expired = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const leave = onAbort(caller, () => controller.abort(caller?.reason))
  const stop = (): void => {
    clearTimeout(timer)
    leave()
  }
  const restart = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      expired = !controller.signal.aborted
      controller.abort()
    }, timeoutMs)
  }
  const hold = (): void => clearTimeout(timer)
  restart()
  return { signal: controller.signal, isExpired: () => expired, restart, hold, stop }
}
