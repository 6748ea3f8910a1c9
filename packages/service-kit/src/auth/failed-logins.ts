import { createHash } from 'node:crypto'
import { ApiError, isApiError } from '@heddle/core-api'
import { LRUCache } from 'lru-cache'
import { atMost } from '../at-most.ts'

export interface FailedLoginOptions {
  /** Milliseconds of a monotonic clock. */
  nowMs: () => number
  /** Resolves after this many milliseconds. */
  pause: (ms: number) => Promise<void>
  /** Capacity of the token bucket of an address: failures without a delay. One token is refilled every `refillMs`. Default 20. */
  burst?: number
  /** Default 3 000. */
  refillMs?: number
  /** Delay of each check after that, unless the key is known to be valid. Default 1 000. */
  delayMs?: number
  /** Checks of one address that may be delayed at the same time; more are refused. Default 10. */
  maxWaitingOfOne?: number
  /** The same for all addresses together. Default 100. */
  maxWaiting?: number
}

export interface LoginAttempt {
  address: string
  /** Undefined where the request has none. */
  secret: string | undefined
}

/**
 * Throttles brute-force guessing of keys: beyond the burst an address gets at most `maxWaitingOfOne` keys checked per `delayMs`. A key that was valid
 * recently is checked without delay from any address, so clients that share an address with an attacker are not affected.
 */
export interface FailedLogins {
  /**
   * Runs `check`, after the delay where one applies; it rejects with 401 for a wrong key.
   * @throws ApiError 429, without a check, when too many of the address or of all wait already; else what `check` does.
   */
  attempt<T>(attempt: LoginAttempt, check: () => Promise<T>): Promise<T>
}

/** Most addresses to remember; those that failed longest ago are forgotten first. */
const maxAddresses = 10_000
/** Hashes of sound keys that are remembered. */
const maxSoundKeys = 10_000
/** Seconds after which a refused client may try again. */
const retryAfterSeconds = 10

interface Bucket {
  tokens: number
  atMs: number
  waiting: number
}

/** A token bucket for each address, from which failures take. */
export function createFailedLogins(options: FailedLoginOptions): FailedLogins {
  const { nowMs, pause, burst = 20, refillMs = 3_000, delayMs = 1_000, maxWaitingOfOne = 10, maxWaiting = 100 } = options
  const buckets = new LRUCache<string, Bucket>(atMost(maxAddresses))
  const sound = new LRUCache<string, true>(atMost(maxSoundKeys))
  let waiting = 0

  function bucketOf(address: string): Bucket {
    const now = nowMs()
    const bucket = buckets.get(address) ?? { tokens: burst, atMs: now, waiting: 0 }
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.atMs) / refillMs)
    bucket.atMs = now
    return bucket
  }

  /** Takes a token of the address, or waits for one. Returns a function that refunds it. */
  async function pay(address: string): Promise<() => void> {
    const bucket = bucketOf(address)
    buckets.set(address, bucket)
    if (bucket.tokens >= 1) {
      bucket.tokens--
      return () => void bucket.tokens++
    }
    if (bucket.waiting >= maxWaitingOfOne || waiting >= maxWaiting)
      throw new ApiError('too_many_requests', 'Too many requests with a wrong key came from this address', { retryAfterSeconds })
    bucket.waiting++
    waiting++
    await pause(delayMs).finally(() => {
      bucket.waiting--
      waiting--
    })
    return () => undefined
  }

  return {
    async attempt({ address, secret }, check) {
      // Who sends no key guesses none.
      if (secret === undefined) return check()
      const hash = createHash('sha256').update(secret).digest('base64')
      // Paid before the check; otherwise many concurrent attempts would cost as much as one.
      const refund = sound.has(hash) ? () => undefined : await pay(address)
      try {
        const caller = await check()
        sound.set(hash, true)
        refund()
        return caller
      } catch (error) {
        if (isApiError(error) && error.code === 'unauthenticated') sound.delete(hash)
        else refund()
        throw error
      }
    },
  }
}
