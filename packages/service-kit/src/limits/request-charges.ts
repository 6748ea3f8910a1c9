import type { Effect } from '@heddle/core-api'
import type { LimitValues } from '@heddle/core-api/internal'
import type { BodyMeter } from '../request/read-body.ts'
import type { DailyBytes } from './daily-bytes.ts'
import type { LimitsOfProjects } from './known-limits.ts'
import { bodyBeyondDay, limitReached } from './limit-errors.ts'
import { type QuotaState, rateLimitFields } from './rate-limit-fields.ts'
import { type Rate, type RateName, rateNames, type RequestRates } from './request-rates.ts'

/** The charges of one request against the limits of the projects that it opens. */
export interface RequestCharges {
  /**
   * Counts the request for a project, however often it opens it, and its body where it writes to it. Call it for a caller that may use the project.
   * @throws ApiError 429 when a limit is reached, 413 for a body beyond the bytes of a day
   */
  charge(projectId: string, effect: Effect): void | Promise<void>
  /** The same check without counting, for a request whose body has not been read. @throws ApiError as `charge` */
  assertWithin(projectId: string, effect: Effect): void | Promise<void>
  /** Called once with the response: bytes count where the request was carried out. */
  settle(isAccepted: boolean): void
  /** Header fields of the response; undefined where nothing is limited. */
  headerFields(): Record<string, string> | undefined
}

/** Sender and size of a request. */
export interface ChargedRequest {
  keyId: string
  /** The body, as far as it was read. */
  body: BodyMeter
  /** True for an operation that stores what it is sent. */
  addsData: boolean
}

export interface ChargesDeps {
  limits: LimitsOfProjects
  rates: RequestRates
  dailyBytes: DailyBytes
}

/** Bytes of the body that count for a project. */
interface Reservation {
  projectId: string
  bytes: number
  limit: number
}

/** A request and its charges: most have none, so the lists are created on demand. */
interface Account {
  deps: ChargesDeps
  request: ChargedRequest
  /** Charges of the project that was opened last, or that refused, precede those of other projects. */
  counted?: Rate[]
  reservations?: Reservation[]
}

/** A project with limits that a request opens. */
interface LimitedUse {
  projectId: string
  effect: Effect
  inForce: LimitValues
}

type OrLater = void | Promise<void>

export function createRequestCharges(deps: ChargesDeps, request: ChargedRequest): RequestCharges {
  const account: Account = { deps, request }
  return {
    charge: (projectId, effect) => useLimits(account, { projectId, effect }, charge),
    assertWithin: (projectId, effect) => useLimits(account, { projectId, effect }, assertWithin),
    settle(isAccepted) {
      if (!account.reservations) return
      for (const { projectId, bytes } of account.reservations) deps.dailyBytes.settle(projectId, bytes, isAccepted)
    },
    headerFields: () => (account.counted || account.reservations ? rateLimitFields(quotaStates(account)) : undefined),
  }
}

/** Synchronous if the limits are known, so that a request of a project without limits never waits. */
function useLimits(
  account: Account,
  opened: Omit<LimitedUse, 'inForce'>,
  use: (account: Account, limited: LimitedUse) => OrLater,
): OrLater {
  const known = account.deps.limits.of(opened.projectId)
  if (known instanceof Promise) return known.then(({ inForce }) => (inForce ? use(account, { ...opened, inForce }) : undefined))
  return known.inForce ? use(account, { ...opened, inForce: known.inForce }) : undefined
}

function charge(account: Account, limited: LimitedUse): OrLater {
  const { deps, request } = account
  const { projectId } = limited
  const limit = limitOfBytes(request, limited)
  if (limit === null) return takeRequest(account, limited)
  return onceLoaded(deps, projectId, () => {
    if (account.reservations?.some((own) => own.projectId === projectId)) return
    const own = { projectId, bytes: request.body.bytes, limit }
    assertBytes(deps, own)
    takeRequest(account, limited)
    deps.dailyBytes.reserve(projectId, own.bytes)
    account.reservations = [own, ...(account.reservations ?? [])]
  })
}

function assertWithin(account: Account, limited: LimitedUse): OrLater {
  const { deps, request } = account
  const { projectId } = limited
  const own = ratesOf(limited, request)
  const empty = deps.rates.findEmpty(own)
  if (empty) account.counted = own
  assertLeft(deps, empty)
  const limit = limitOfBytes(request, limited)
  const bytes = Math.max(1, request.body.declaredBytes ?? 0)
  return limit === null ? undefined : onceLoaded(deps, projectId, () => assertBytes(deps, { projectId, bytes, limit }))
}

function takeRequest(account: Account, limited: LimitedUse): void {
  const { deps, request, counted = [] } = account
  if (counted.some((rate) => rate.projectId === limited.projectId)) return
  const own = ratesOf(limited, request)
  account.counted = [...own, ...counted]
  assertLeft(deps, deps.rates.take(own))
}

function limitOfBytes({ addsData }: ChargedRequest, { effect, inForce }: LimitedUse): number | null {
  return addsData && effect === 'write' ? inForce.ingested_bytes_per_day : null
}

/** Synchronous if the bytes of the day are known. */
function onceLoaded({ dailyBytes }: ChargesDeps, projectId: string, use: () => void): OrLater {
  const loading = dailyBytes.load(projectId)
  return loading instanceof Promise ? loading.then(use) : use()
}

function assertLeft({ rates }: ChargesDeps, empty: Rate | undefined): void {
  if (!empty) return
  const { name, perMinute: value, projectId } = empty
  throw limitReached({ name, value, projectId, waitSeconds: wholeSeconds(rates.stateOf(empty).msUntilNext) })
}

function assertBytes({ dailyBytes }: ChargesDeps, { projectId, bytes, limit }: Reservation): void {
  if (bytes > limit) throw bodyBeyondDay(projectId, { bytes, limit })
  if ((dailyBytes.usedOf(projectId) ?? 0) + bytes > limit)
    throw limitReached({ name: 'ingested_bytes_per_day', value: limit, projectId, waitSeconds: dailyBytes.secondsLeft() })
}

function ratesOf({ projectId, inForce }: LimitedUse, { keyId }: ChargedRequest): Rate[] {
  return rateNames.flatMap((name) => {
    const perMinute = inForce[name]
    return perMinute === null ? [] : [{ name, perMinute, projectId, keyId }]
  })
}

function quotaStates({ deps, counted = [], reservations: [reservation] = [] }: Account): QuotaState[] {
  const ofRates = rateNames.flatMap((name) => counted.find((rate) => rate.name === name) ?? [])
  const ofBytes = reservation && bytesState(deps, reservation)
  return [...ofRates.map((rate) => rateState(deps, rate)), ...(ofBytes ? [ofBytes] : [])]
}

/** The names of the limits of requests in header fields. */
const policyNames: Record<RateName, string> = { requests_per_minute: 'project', requests_per_minute_per_key: 'key' }

function rateState({ rates }: ChargesDeps, rate: Rate): QuotaState {
  const { left, msUntilNext } = rates.stateOf(rate)
  return { name: policyNames[rate.name], quota: rate.perMinute, windowSeconds: 60, left, effectiveSeconds: wholeSeconds(msUntilNext) }
}

function bytesState({ dailyBytes }: ChargesDeps, { projectId, limit }: Reservation): QuotaState | undefined {
  const used = dailyBytes.usedOf(projectId)
  // Midnight has passed meanwhile: the next response reports it.
  if (used === undefined) return undefined
  const effectiveSeconds = dailyBytes.secondsLeft()
  return { name: 'bytes', quota: limit, unit: 'content-bytes', windowSeconds: 86_400, left: Math.max(0, limit - used), effectiveSeconds }
}

const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000))
