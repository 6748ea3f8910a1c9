import { createContext, Script } from 'node:vm'
import { workedMs } from './worked-time.ts'

/** How many times its CPU limit the work may take by the clock: on a busy machine it gets a small share of the CPU. */
const maxPatience = 8

/**
 * Runs synchronous work that a user may have made endless, such as a pattern, where the runtime can stop it. What counts is the time that
 * this thread works, so that a busy machine makes no work fail. `begun`: what the thread had worked when the work began; default now.
 * @throws Error when it takes longer than `timeoutMs`; else what the work throws
 */
export type LimitedRun = <T>(work: () => T, timeoutMs: number, begun?: number) => T

/** `worked` counts milliseconds. */
export function createLimitedRun(worked: () => number = workedMs): LimitedRun {
  const idle = () => undefined
  const sandbox: { work: () => unknown } = { work: idle }
  const context = createContext(sandbox)
  const script = new Script('work()')
  return <T>(work: () => T, timeoutMs: number, begun = worked()) => {
    sandbox.work = work
    try {
      // The runtime measures elapsed time, which other programs may have used up: then the work is begun again, with more of it.
      for (let patience = 1; ; patience = Math.min(patience * 2, maxPatience)) {
        try {
          return script.runInContext(context, { timeout: timeoutMs * patience }) as T
        } catch (error) {
          if (!isTimeout(error)) throw error
          if (worked() - begun >= timeoutMs) throw new Error(`timed out after ${timeoutMs} ms of work`, { cause: error })
        }
      }
    } finally {
      sandbox.work = idle
    }
  }
}

/** By its code alone: the error is one of the context that the script runs in, which has an `Error` of its own. */
const isTimeout = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
