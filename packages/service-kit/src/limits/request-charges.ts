import type { Effect } from '@heddle/core-api'
import type { LimitValues } from '@heddle/core-api/internal'
import type { BodyMeter } from '../request/read-body.ts'
import type { DailyBytes } from './daily-bytes.ts'
import type { KnownLimits, LimitsOfProjects } from './known-limits.ts'
import { bodyBeyondDay, limitReached } from './limit-errors.ts'
import { type QuotaState, rateLimitFields } from './rate-limit-fields.ts'
import { type Rate, type RateName, rateNames, type RequestRates } from './request-rates.ts'

/** What one request takes of the limits of the projects that it opens. */
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

/** Who sends a request, and what it brings. */
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

type OrLater = void | Promise<void>

/** The names of the limits of requests in header fields. */
const policyNames: Record<RateName, string> = { requests_per_minute: 'project', requests_per_minute_per_key: 'key' }

export function createRequestCharges({ limits, rates, dailyBytes }: ChargesDeps, request: ChargedRequest): RequestCharges {
  const { keyId, body, addsData } = request
  /** Of the project that was opened last, or that refused, before those of others. */
  let counted: Rate[] = []
  let reservations: Reservation[] = []

  function assertLeft(rate: Rate | undefined): void {
    if (!rate) return
    const { name, perMinute: value, projectId } = rate
    throw limitReached({ name, value, projectId, waitSeconds: wholeSeconds(rates.stateOf(rate).msUntilNext) })
  }

  function takeRequest(projectId: string, inForce: LimitValues): void {
    if (counted.some((rate) => rate.projectId === projectId)) return
    const own = ratesOf(inForce, projectId, keyId)
    counted = [...own, ...counted]
    assertLeft(rates.take(own))
  }

  function assertBytes({ projectId, bytes, limit }: Reservation): void {
    if (bytes > limit) throw bodyBeyondDay(projectId, { bytes, limit })
    if ((dailyBytes.usedOf(projectId) ?? 0) + bytes > limit)
      throw limitReached({ name: 'ingested_bytes_per_day', value: limit, projectId, waitSeconds: dailyBytes.secondsLeft() })
  }

  function charge(projectId: string, effect: Effect, { inForce }: KnownLimits): OrLater {
    if (!inForce) return
    const limit = inForce.ingested_bytes_per_day
    const isReserved = reservations.some((own) => own.projectId === projectId)
    if (limit === null || !addsData || effect !== 'write' || isReserved) return takeRequest(projectId, inForce)
    return whenKnown(dailyBytes.load(projectId), () => {
      const own = { projectId, bytes: body.bytes, limit }
      assertBytes(own)
      takeRequest(projectId, inForce)
      dailyBytes.reserve(projectId, own.bytes)
      reservations = [own, ...reservations]
    })
  }

  function assertWithin(projectId: string, effect: Effect, { inForce }: KnownLimits): OrLater {
    if (!inForce) return
    const own = ratesOf(inForce, projectId, keyId)
    const empty = rates.findEmpty(own)
    if (empty) counted = own
    assertLeft(empty)
    const limit = inForce.ingested_bytes_per_day
    if (limit === null || !addsData || effect !== 'write') return
    const bytes = Math.max(1, body.declaredBytes ?? 0)
    return whenKnown(dailyBytes.load(projectId), () => assertBytes({ projectId, bytes, limit }))
  }

  function quotaStates(): QuotaState[] {
    const ofRates = rateNames.flatMap((name) => counted.find((rate) => rate.name === name) ?? []).map(toQuotaState)
    const [reservation] = reservations
    return reservation ? [...ofRates, toBytesState(reservation)].filter((state) => state !== undefined) : ofRates
  }

  function toQuotaState(rate: Rate): QuotaState {
    const { left, msUntilNext } = rates.stateOf(rate)
    return { name: policyNames[rate.name], quota: rate.perMinute, windowSeconds: 60, left, effectiveSeconds: wholeSeconds(msUntilNext) }
  }

  function toBytesState({ projectId, limit }: Reservation): QuotaState | undefined {
    const used = dailyBytes.usedOf(projectId)
    // Midnight has passed since: the next response tells it.
    if (used === undefined) return undefined
    const effectiveSeconds = dailyBytes.secondsLeft()
    return { name: 'bytes', quota: limit, unit: 'content-bytes', windowSeconds: 86_400, left: Math.max(0, limit - used), effectiveSeconds }
  }

  return {
    charge: (projectId, effect) => whenKnown(limits.of(projectId), (known) => charge(projectId, effect, known)),
    assertWithin: (projectId, effect) => whenKnown(limits.of(projectId), (known) => assertWithin(projectId, effect, known)),
    settle(isAccepted) {
      for (const { projectId, bytes } of reservations) dailyBytes.settle(projectId, bytes, isAccepted)
    },
    headerFields: () => rateLimitFields(quotaStates()),
  }
}

/** At once where the value is there already, so that a request without limits waits for nothing. */
function whenKnown<T>(value: T | Promise<T>, use: (value: T) => OrLater): OrLater {
  return value instanceof Promise ? value.then(use) : use(value)
}

function ratesOf(limits: LimitValues, projectId: string, keyId: string): Rate[] {
  return rateNames.flatMap((name) => {
    const perMinute = limits[name]
    return perMinute === null ? [] : [{ name, perMinute, projectId, keyId }]
  })
}

const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000))
