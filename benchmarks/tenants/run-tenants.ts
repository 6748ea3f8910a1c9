import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TenantsMessage, TenantsPlan, TenantsResult } from './tenants-plan.ts'

/** Seconds in addition to the load itself, for building bodies and the last responses. */
const graceSeconds = 180

/** Runs the load in a separate process, so that generating it does not delay the measurement. @throws Error if it fails or times out */
export function runTenants(plan: TenantsPlan): Promise<TenantsResult> {
  const entry = fileURLToPath(new URL('tenants-child.ts', import.meta.url))
  const child = fork(entry, [JSON.stringify(plan)], { execArgv: ['--import', 'tsx'] })
  return new Promise<TenantsResult>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), (plan.seconds + graceSeconds) * 1000)
    child.once('message', (message: TenantsMessage) => {
      if (message.type === 'result') resolve(message.result)
      else reject(new Error(message.reason))
    })
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      reject(new Error(`the load ended before it had a result (${signal ?? `exit code ${code}`})`))
    })
  })
}
