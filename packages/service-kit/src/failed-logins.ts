import { ApiError } from '@heddle/core-api'
import { LRUCache } from 'lru-cache'

export interface FailedLoginOptions {
  /** Milliseconds of a clock that never goes back. */
  nowMs: () => number
  /** Resolves after so many milliseconds. */
  pause: (ms: number) => Promise<void>
  /** Failures of one address that are answered at once; one more comes back every `refillMs`. Default 20. */
  burst?: number
  /** Default 3 000. */
  refillMs?: number
  /** How long each further failure waits for its answer. Default 1 000. */
  delayMs?: number
  /** Answers that may wait at the same time, from all addresses; more are refused. Default 100. */
  maxWaiting?: number
}

/** Slows those who guess keys. A sound key is never slowed, so whoever shares an address with a guesser goes on undisturbed. */
export interface FailedLogins {
  /** Waits as long as the address has deserved. @throws ApiError 429 when too many answers wait already. */
  afterFailure(address: string): Promise<void>
}

/** Addresses that are remembered; the ones that failed longest ago are forgotten first. */
const maxAddresses = 10_000

/** A token bucket for each address. */
export function createFailedLogins(options: FailedLoginOptions): FailedLogins {
  const { nowMs, pause, burst = 20, refillMs = 3_000, delayMs = 1_000, maxWaiting = 100 } = options
  const buckets = new LRUCache<string, { tokens: number; atMs: number }>({ max: maxAddresses })
  let waiting = 0

  function isWithinBurst(address: string): boolean {
    const now = nowMs()
    const { tokens, atMs } = buckets.get(address) ?? { tokens: burst, atMs: now }
    const refilled = Math.min(burst, tokens + (now - atMs) / refillMs)
    buckets.set(address, { tokens: Math.max(0, refilled - 1), atMs: now })
    return refilled >= 1
  }

  return {
    async afterFailure(address) {
      if (isWithinBurst(address)) return
      if (waiting >= maxWaiting) throw new ApiError('too_many_requests', 'Too many requests with a wrong key', { retryAfterSeconds: 10 })
      waiting++
      await pause(delayMs).finally(() => waiting--)
    },
  }
}
