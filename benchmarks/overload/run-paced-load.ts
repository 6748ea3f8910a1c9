import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { PacedMessage, PacedPlan, PacedResult } from './paced-plan.ts'

/** Seconds beside the load itself: making bodies, the last answers, reading back. */
const graceSeconds = 300

/** Runs a paced load in a process of its own. @throws Error when it fails or takes too long. */
export function runPacedLoad(plan: PacedPlan): Promise<PacedResult> {
  const entry = fileURLToPath(new URL('paced-load-child.ts', import.meta.url))
  const child = fork(entry, [JSON.stringify(plan)], { execArgv: ['--import', 'tsx'] })
  return new Promise<PacedResult>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), (plan.seconds + graceSeconds) * 1000)
    child.once('message', (message: PacedMessage) => {
      if (message.type === 'result') resolve(message.result)
      else reject(new Error(message.reason))
    })
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      reject(new Error(`the load ended before it had a result (${signal ?? `exit code ${code}`})`))
    })
  })
}
