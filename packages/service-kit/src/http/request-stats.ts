import { durationSlots, slotOf } from './duration-slots.ts'

/** A request in the access log. */
export interface EndedRequest {
  /** Name of the operation; null when no path matched. */
  operation: string | null
  status: number
  /** To the end of its response, in milliseconds. */
  ms: number
  /** Part of it in which the request was queued, in milliseconds. */
  waited: number
  /** Name of the error that cut the response short. */
  cut?: string
}

/** What is counted of a request beyond its line in the access log. */
export interface CountedRequest extends EndedRequest {
  /** Why it got an error, in one of a few fixed words: the code of the error, the name of a limit, or `store_` and the kind of failure. */
  refusal?: string
  /** Bytes of its body, unpacked, as far as it was read. Absent: it has none. */
  bodyBytes?: number
}

/** A request that took long. */
export interface SlowRequest extends Omit<EndedRequest, 'cut'> {
  operation: string
  /** When it ended, in milliseconds since 1970. */
  endedAtMs: number
}

export interface RequestStatsReading {
  /** Requests since the start, by the status of their response. */
  byStatus: Readonly<Record<string, number>>
  /** Responses among them that were cut short. */
  cut: number
  /** Requests with an operation since the start, by duration: how many are in each of `durationSlots`. */
  durations: readonly number[]
  /** The slowest of the last hour, the slowest first. */
  slow: readonly SlowRequest[]
}

/** A request whose endpoint is known. */
export interface BegunRequest {
  method: string
  /** Name of the operation; null when no path matched. */
  operation: string | null
  headers: Headers
}

/** Follows one request. */
export interface RequestSpan {
  /** Does the work of the request. */
  run<T>(work: () => Promise<T>): Promise<T>
  end(request: CountedRequest): void
}

/** Counts the requests of all services of a process, and keeps the slowest. */
export interface RequestStats {
  note(request: CountedRequest): void
  /** Called when a request begins. Absent, or undefined: it is not followed. */
  trace?: ((request: BegunRequest) => RequestSpan | undefined) | undefined
  read(): RequestStatsReading
}

export interface RequestStatsOptions {
  /** Milliseconds since 1970. Default: the clock of this machine. */
  nowMs?: () => number
}

/** A request that takes less is not slow. */
const slowMs = 1_000
const maxSlow = 20
const keptMs = 3_600_000

/** Holds a number for each status and for each slot of durations, and at most 20 slow requests. */
export function createRequestStats({ nowMs = Date.now }: RequestStatsOptions = {}): RequestStats {
  const byStatus = new Map<number, number>()
  const durations = new Array<number>(durationSlots).fill(0)
  let cut = 0
  let slow: SlowRequest[] = []

  function countDuration(ms: number): void {
    const slot = slotOf(ms)
    durations[slot] = (durations[slot] ?? 0) + 1
  }

  function keepSlow({ operation, status, ms, waited }: EndedRequest): void {
    if (operation === null || ms < slowMs) return
    const kept = [...recent(), { operation, status, ms, waited, endedAtMs: nowMs() }]
    slow = kept.toSorted((a, b) => b.ms - a.ms).slice(0, maxSlow)
  }

  function recent(): SlowRequest[] {
    const since = nowMs() - keptMs
    return slow.filter(({ endedAtMs }) => endedAtMs >= since)
  }

  return {
    note(request) {
      byStatus.set(request.status, (byStatus.get(request.status) ?? 0) + 1)
      if (request.cut !== undefined) cut++
      if (request.operation !== null) countDuration(request.ms)
      keepSlow(request)
    },
    read: () => ({ byStatus: Object.fromEntries(byStatus), cut, durations: [...durations], slow: recent() }),
  }
}
