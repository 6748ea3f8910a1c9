import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TenantsMessage, TenantsPlan, TenantsResult } from './tenants-plan.ts'

/** Seconds beside the load itself: making bodies, the last answers. */
const graceSeconds = 180

/** Sends requests from a process of its own, so that its work delays no other's. @throws Error when it fails or takes too long */
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
