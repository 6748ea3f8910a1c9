import { createContext, Script } from 'node:vm'
import { workedMs } from './worked-time.ts'

/** The most by which the limit of elapsed time is multiplied: on a busy machine the work gets a small share of the CPU. */
const maxStretch = 8

/**
 * Runs synchronous work that may never end, such as a user's pattern, where the runtime can stop it. The limit is CPU time of this thread, so that
 * nothing fails because a machine is busy. `begun`: CPU time of the thread when the work began; default now.
 * @throws Error when it takes longer than `timeoutMs`; else the error of the work
 */
export type LimitedRun = <T>(work: () => T, timeoutMs: number, begun?: number) => T

/** `worked` returns the CPU time of the thread in milliseconds. */
export function createLimitedRun(worked: () => number = workedMs): LimitedRun {
  const idle = () => undefined
  const sandbox: { work: () => unknown } = { work: idle }
  const context = createContext(sandbox)
  const script = new Script('work()')
  return <T>(work: () => T, timeoutMs: number, begun = worked()) => {
    sandbox.work = work
    try {
      // The runtime limits elapsed time, which other programs may have used up: then the work starts again, with a larger limit.
      for (let limit = timeoutMs, since = begun; ;) {
        try {
          return script.runInContext(context, { timeout: limit }) as T
        } catch (error) {
          if (!isTimeout(error)) throw error
          const now = worked()
          if (now - begun >= timeoutMs) throw new Error(`timed out after ${timeoutMs} ms of work`, { cause: error })
          limit = nextLimit({ limit, timeoutMs, cpuShare: (now - since) / limit })
          since = now
        }
      }
    } finally {
      sandbox.work = idle
    }
  }
}

/** Elapsed time in which work with this share of the CPU takes `timeoutMs`, but at most twice the last limit: the share may be larger now. */
export function nextLimit({ limit, timeoutMs, cpuShare }: { limit: number; timeoutMs: number; cpuShare: number }): number {
  return Math.ceil(Math.min(limit * 2, timeoutMs * maxStretch, timeoutMs / cpuShare))
}

/** Recognized by its code: the error is from the script's context, which has its own `Error`. */
const isTimeout = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
