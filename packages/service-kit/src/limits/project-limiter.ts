import { ApiError, type Effect, type ProjectLimit, type ProjectLimits } from '@heddle/core-api'
import { type LimitChanges, limitNames, type LimitValues } from '@heddle/core-api/internal'
import { createLimitsOfProjects, type KnownLimits } from './known-limits.ts'
import type { LimitedProject, ProjectLimitsStore } from './project-limits-store.ts'
import { type QuotaState, rateLimitFields } from './rate-limit-fields.ts'
import { createRequestRates, type Rate, type RateName } from './request-rates.ts'

/** What one request takes of the limits of the projects that it opens. */
export interface RequestCharges {
  /**
   * Counts the request for a project, however often it opens it. Call it for a caller that may use the project.
   * @throws ApiError 429 when a limit is reached; then nothing was counted for the project
   */
  charge(projectId: string, effect: Effect): void | Promise<void>
  /** The same check without counting, for a request whose body has not been read. @throws ApiError 429 */
  assertWithin(projectId: string): void | Promise<void>
  /** Header fields of the response; undefined where nothing is limited. */
  headerFields(): Record<string, string> | undefined
}

/** Bounds what projects, and each key in them, do in a time. One for all services of a process. */
export interface ProjectLimiter {
  /** Called once for each request. */
  forRequest(keyId: string): RequestCharges
  /** What holds for a project, and what is used of it; of the limit of a key, by this one. */
  usageOf(projectId: string, keyId: string): Promise<ProjectLimits>
  /** @throws ApiError 400 for a limit above that of the server */
  set(project: LimitedProject, changes: LimitChanges): Promise<void>
  /** What the operator has set for each project. */
  readonly serverLimits: LimitValues
}

export interface ProjectLimiterOptions {
  store: ProjectLimitsStore
  /** What the operator has set for each project. Default: no limits. */
  serverLimits?: LimitValues
  /** True when other servers set limits in the same store. */
  sharesStore: boolean
  /** Milliseconds of a clock that never goes back. Default: the process's own. */
  nowMs?: () => number
}

export const noLimits: LimitValues = { requests_per_minute: null, requests_per_minute_per_key: null }

const rateNames: readonly RateName[] = ['requests_per_minute', 'requests_per_minute_per_key']

/** The names of the limits in header fields. */
const policyNames: Record<RateName, string> = { requests_per_minute: 'project', requests_per_minute_per_key: 'key' }

export function createProjectLimiter(options: ProjectLimiterOptions): ProjectLimiter {
  const { store, serverLimits = noLimits, sharesStore, nowMs = () => performance.now() } = options
  const limits = createLimitsOfProjects({ store, serverLimits, sharesStore, nowMs })
  const rates = createRequestRates(nowMs)

  function toQuotaState(rate: Rate): QuotaState {
    const { left, msUntilNext } = rates.stateOf(rate)
    return { name: policyNames[rate.name], quota: rate.perMinute, windowSeconds: 60, left, effectiveSeconds: wholeSeconds(msUntilNext) }
  }

  function assertLeft(empty: Rate | undefined): void {
    if (empty) throw rateExceeded(empty, wholeSeconds(rates.stateOf(empty).msUntilNext))
  }

  return {
    serverLimits,

    forRequest(keyId) {
      let counted: Rate[] = []
      const charge = (projectId: string, { inForce }: KnownLimits) => {
        if (!inForce || counted.some((rate) => rate.projectId === projectId)) return
        const own = ratesOf(inForce, projectId, keyId)
        // Those that the response tells of: of the project that was opened last, or that refused.
        counted = [...own, ...counted]
        assertLeft(rates.take(own))
      }
      const assertWithin = (projectId: string, { inForce }: KnownLimits) => {
        if (!inForce) return
        const own = ratesOf(inForce, projectId, keyId)
        const empty = rates.findEmpty(own)
        if (empty) counted = own
        assertLeft(empty)
      }
      return {
        charge: (projectId) => onceKnown(limits.of(projectId), (known) => charge(projectId, known)),
        assertWithin: (projectId) => onceKnown(limits.of(projectId), (known) => assertWithin(projectId, known)),
        headerFields: () => rateLimitFields(firstOfEach(counted).map(toQuotaState)),
      }
    },

    async usageOf(projectId, keyId) {
      const { own, inForce } = await limits.of(projectId)
      const describe = (name: RateName): ProjectLimit => {
        const limit = inForce?.[name] ?? null
        const state = limit === null ? undefined : rates.stateOf({ name, perMinute: limit, projectId, keyId })
        return { limit, own_limit: own[name], server_limit: serverLimits[name], used: state?.used ?? null, left: state?.left ?? null }
      }
      return Object.fromEntries(rateNames.map((name) => [name, describe(name)])) as ProjectLimits
    },

    async set(project, changes) {
      for (const name of limitNames) assertAllowed(name, changes[name], serverLimits[name])
      await limits.set(project, changes)
    },
  }
}

function onceKnown(known: KnownLimits | Promise<KnownLimits>, use: (known: KnownLimits) => void): void | Promise<void> {
  return known instanceof Promise ? known.then(use) : use(known)
}

function ratesOf(limits: LimitValues, projectId: string, keyId: string): Rate[] {
  return rateNames.flatMap((name) => {
    const perMinute = limits[name]
    return perMinute === null ? [] : [{ name, perMinute, projectId, keyId }]
  })
}

function firstOfEach(rates: readonly Rate[]): Rate[] {
  return rateNames.flatMap((name) => rates.find((rate) => rate.name === name) ?? [])
}

const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000))

function rateExceeded({ name, perMinute, projectId }: Rate, retryAfterSeconds: number): ApiError {
  const whose = name === 'requests_per_minute' ? 'it may get' : 'it may get with one API key'
  return new ApiError(
    'too_many_requests',
    `project ${JSON.stringify(projectId)} has had the ${perMinute} requests a minute that ${whose} (${name}); send the request again after ${retryAfterSeconds} s, or have an administrator of the project raise the limit in its settings`,
    { retryAfterSeconds, extra: { limit: { name, value: perMinute } } },
  )
}

function assertAllowed(name: keyof LimitValues, wanted: number | null | undefined, server: number | null): void {
  if (wanted === null || wanted === undefined || server === null || wanted <= server) return
  throw new ApiError(
    'bad_request',
    `${name} is ${wanted}, but the operator of this server allows each project at most ${server}; choose a lower limit`,
  )
}
