import type { ProjectLimit, ProjectLimits } from '@heddle/core-api/types'
import { type LimitChanges, type LimitName, limitNames, type LimitValues } from '@heddle/core-api/internal'
import { createDailyBytes } from './daily-bytes.ts'
import { createLimitsOfProjects } from './known-limits.ts'
import { beyondServer } from './limit-errors.ts'
import type { LimitedProject, ProjectLimitsStore } from './project-limits-store.ts'
import { type ChargedRequest, createRequestCharges, type RequestCharges } from './request-charges.ts'
import { createRequestRates } from './request-rates.ts'
import { createSharedRates } from './shared-rates.ts'

/** Bounds what projects, and each key in them, do in a time. One for all services of a process. */
export interface ProjectLimiter {
  /** Called once for each request. */
  forRequest(request: ChargedRequest): RequestCharges
  /** Limits of a project, and their current usage; for the limit per key, the usage of this key. */
  usageOf(projectId: string, keyId: string): Promise<ProjectLimits>
  /** @throws ApiError 400 for a limit above that of the server */
  set(project: LimitedProject, changes: LimitChanges): Promise<void>
  /** The operator's limits for each project. */
  readonly serverLimits: LimitValues
  /** Stores the counts. Called after the last request. */
  close(): Promise<void>
}

export interface ProjectLimiterOptions {
  store: ProjectLimitsStore
  /** The operator's limits for each project. Default: no limits. */
  serverLimits?: LimitValues
  /** True when other servers set limits, and count requests and bytes in the same store. */
  sharesStore: boolean
  /** Milliseconds of a monotonic clock. Default: the process's own. */
  nowMs?: () => number
  /** Milliseconds since 1970. Default: the system's. */
  wallClockMs?: () => number
  /** Called when counts could not be stored; they are stored later. */
  onError?: (error: unknown) => void
}

export const noLimits: LimitValues = { requests_per_minute: null, requests_per_minute_per_key: null, ingested_bytes_per_day: null }

export function createProjectLimiter(options: ProjectLimiterOptions): ProjectLimiter {
  const { store, serverLimits = noLimits, sharesStore, nowMs = () => performance.now(), wallClockMs = Date.now } = options
  const limits = createLimitsOfProjects({ store, serverLimits, sharesStore, nowMs })
  const rates = createRequestRates(nowMs)
  const onError = options.onError ?? (() => undefined)
  const dailyBytes = createDailyBytes({ store, sharesStore, nowMs, wallClockMs, onError })
  const sharedRates = sharesStore ? createSharedRates({ store, rates, wallClockMs, onError }) : undefined

  async function stateOf(name: LimitName, { limit, projectId, keyId }: { limit: number; projectId: string; keyId: string }) {
    if (name !== 'ingested_bytes_per_day') return rates.stateOf({ name, perMinute: limit, projectId, keyId })
    await dailyBytes.load(projectId)
    const used = dailyBytes.usedOf(projectId) ?? 0
    return { used, left: Math.max(0, limit - used) }
  }

  return {
    serverLimits,
    forRequest: (request) => createRequestCharges({ limits, rates, dailyBytes }, request),

    async usageOf(projectId, keyId) {
      const { own, inForce } = await limits.of(projectId)
      const describe = async (name: LimitName): Promise<ProjectLimit> => {
        const limit = inForce?.[name] ?? null
        const { used, left } = limit === null ? { used: null, left: null } : await stateOf(name, { limit, projectId, keyId })
        return { limit, own_limit: own[name], server_limit: serverLimits[name], used, left }
      }
      const described = await Promise.all(limitNames.map(async (name) => [name, await describe(name)] as const))
      return Object.fromEntries(described) as ProjectLimits
    },

    async set(project, changes) {
      for (const name of limitNames) {
        const [wanted, server] = [changes[name] ?? null, serverLimits[name]]
        if (wanted !== null && server !== null && wanted > server) throw beyondServer(name, { wanted, server })
      }
      await limits.set(project, changes)
    },

    async close() {
      await Promise.all([dailyBytes.close(), sharedRates?.close()])
    },
  }
}
