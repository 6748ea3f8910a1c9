import { setMaxListeners } from 'node:events'
import { untilAborted } from '../../until-aborted.ts'

/** Timeout and cancellation of one request to the engine. */
export interface RequestLifetime {
  /** Aborts on timeout, or when the caller's signal aborts. */
  readonly signal: AbortSignal
  /** True after the timeout. */
  readonly isTimedOut: boolean
  /** Resolves with the work, or rejects as soon as the signal aborts. */
  race(work: Promise<void>): Promise<void>
  /** Aborts with this error, which `failure` returns afterwards. */
  fail(error: Error): void
  readonly failure: Error | undefined
  /** Clears the timeout; still listens to the caller's signal. */
  clearTimeout(): void
  /** Clears the timeout and stops listening to the caller's signal. */
  end(): void
}

/** Starts a lifetime of at most `seconds`. `end` removes its listener, so that a long-lived signal does not collect listeners. */
export function startLifetime(seconds: number, caller: AbortSignal | undefined): RequestLifetime {
  const controller = new AbortController()
  let isTimedOut = false
  let failure: Error | undefined
  const timer = setTimeout(() => {
    isTimedOut = true
    controller.abort(new Error(`no response within ${seconds} seconds`))
  }, seconds * 1000)
  // A request may run many statements concurrently.
  if (caller) setMaxListeners(0, caller)
  const follow = () => controller.abort(caller?.reason)
  if (caller?.aborted) follow()
  else caller?.addEventListener('abort', follow, { once: true })
  const stopTimer = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    get isTimedOut() {
      return isTimedOut
    },
    get failure() {
      return failure
    },
    fail(error) {
      failure ??= error
      controller.abort(error)
    },
    race: (work) => untilAborted(work, controller.signal),
    clearTimeout: stopTimer,
    end() {
      stopTimer()
      caller?.removeEventListener('abort', follow)
    },
  }
}
