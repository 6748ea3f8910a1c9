import { createContext, Script } from 'node:vm'

/** Times that work is begun while the machine is busy with other things. */
const maxAttempts = 3

/** Milliseconds that this process has worked: work does not pay for a machine that is busy with other things. */
export function workedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Runs synchronous work that a user may have made endless, such as a pattern, where the runtime can stop it. `begun`: what the process had
 * worked when the work began; default now.
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
      for (let attempt = 1; ; attempt++) {
        try {
          return script.runInContext(context, { timeout: timeoutMs }) as T
        } catch (error) {
          // The runtime measures elapsed time, which other processes may have used up.
          if (!isTimeout(error) || worked() - begun >= timeoutMs || attempt === maxAttempts) throw error
        }
      }
    } finally {
      sandbox.work = idle
    }
  }
}

const isTimeout = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
