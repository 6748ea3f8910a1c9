import type { LimitName } from '@heddle/core-api/internal'
import { LRUCache } from 'lru-cache'
import { atMost } from '../at-most.ts'
import type { CountedRequests } from './project-limits-store.ts'
import { count, createCounter, type SlidingWindowCounter, sumOf } from './sliding-window-counter.ts'
import { fullBucket, msUntilNextToken, refill, type TokenBucket, tokensIn } from './token-bucket.ts'

/** Most projects, and keys in projects, whose requests are counted; those idle for longest are forgotten first. */
export const maxBuckets = 10_000

export const rateNames = ['requests_per_minute', 'requests_per_minute_per_key'] as const satisfies readonly LimitName[]
export type RateName = (typeof rateNames)[number]

/** A limit of requests, and whose it is. */
export interface Rate {
  name: RateName
  perMinute: number
  projectId: string
  keyId: string
}

/** The remaining quota of a rate at one time. */
export interface RateState {
  /** Requests that may follow immediately. */
  left: number
  /** About those of the last minute. */
  used: number
  /** Until one more may follow, were the bucket not full. */
  msUntilNext: number
}

/** Counts requests against limits, each in its own token bucket. */
export interface RequestRates {
  /** Takes one request of each rate, or of none. Returns a rate that has none left. */
  take(rates: readonly Rate[]): Rate | undefined
  /** A rate that has none left. Takes nothing. */
  findEmpty(rates: readonly Rate[]): Rate | undefined
  stateOf(rate: Rate): RateState
  /** Requests counted since the last call, to report to other servers. */
  takeCounted(): CountedRequests[]
  /** What `takeCounted` gave was not passed on, so it is given again. */
  putBack(counted: readonly CountedRequests[]): void
  /**
   * Takes what other servers have admitted since the sums before, where that is more than there is as a debt. `passedOn` is what of these sums is
   * of this server.
   */
  takeElsewhere(sums: readonly CountedRequests[], passedOn: readonly CountedRequests[]): void
}

interface CountedBucket extends TokenBucket {
  perMinute: number
  recent: SlidingWindowCounter
  /** Taken here since the last exchange with other servers. */
  untold: number
  /** The sum of all servers, as of the last exchange; undefined before the first. */
  sum: number | undefined
  /**
   * The tokens as of the last exchange. Refilled tokens are not capped at the bucket's size until it is known how many other servers took meanwhile.
   */
  base: { tokens: number; atMs: number; taken: number }
}

export function createRequestRates(nowMs: () => number): RequestRates {
  const buckets: Record<RateName, LRUCache<string, CountedBucket>> = {
    requests_per_minute: new LRUCache(atMost(maxBuckets)),
    requests_per_minute_per_key: new LRUCache(atMost(maxBuckets)),
  }

  function bucketOf({ name, perMinute, projectId, keyId }: Rate): CountedBucket {
    const now = nowMs()
    // Ids of keys have no slash, so it belongs to one pair alone.
    const whose = name === 'requests_per_minute' ? projectId : `${keyId}/${projectId}`
    const known = buckets[name].get(whose)
    if (known) {
      refill(known, perMinute, now)
      known.perMinute = perMinute
      return known
    }
    const full = fullBucket(perMinute, now)
    const bucket = { ...full, perMinute, recent: createCounter(), untold: 0, sum: undefined, base: { ...full, taken: 0 } }
    buckets[name].set(whose, bucket)
    return bucket
  }

  const findEmpty = (rates: readonly Rate[]) => rates.find((rate) => bucketOf(rate).tokens < 1)
  return {
    findEmpty,
    take(rates) {
      const empty = findEmpty(rates)
      if (empty) return empty
      for (const rate of rates) {
        const bucket = bucketOf(rate)
        bucket.tokens--
        bucket.base.taken++
        bucket.untold++
        count(bucket.recent, nowMs())
      }
      return undefined
    },
    stateOf(rate) {
      const bucket = bucketOf(rate)
      return {
        left: Math.max(0, Math.floor(bucket.tokens)),
        used: sumOf(bucket.recent, nowMs()),
        msUntilNext: msUntilNextToken(bucket, rate.perMinute),
      }
    },

    takeCounted() {
      const counted: CountedRequests[] = []
      for (const rate of rateNames)
        for (const [subject, bucket] of buckets[rate].entries()) {
          if (bucket.untold > 0) counted.push({ rate, subject, requests: bucket.untold })
          bucket.untold = 0
        }
      return counted
    },

    putBack(counted) {
      for (const { rate, subject, requests } of counted) {
        const bucket = buckets[rate].peek(subject)
        if (bucket) bucket.untold += requests
      }
    },

    takeElsewhere(sums, passedOn) {
      const own = new Map(passedOn.map(({ rate, subject, requests }) => [`${rate} ${subject}`, requests]))
      for (const { rate, subject, requests: sum } of sums) {
        const bucket = buckets[rate].peek(subject)
        if (!bucket) continue
        const elsewhere = bucket.sum === undefined ? 0 : Math.max(0, sum - bucket.sum - (own.get(`${rate} ${subject}`) ?? 0))
        exchange(bucket, { sum, elsewhere, now: nowMs() })
      }
    },
  }
}

/** Sets the bucket to the state that it would have if it had been shared by all servers since the last exchange. */
function exchange(bucket: CountedBucket, { sum, elsewhere, now }: { sum: number; elsewhere: number; now: number }): void {
  const { perMinute, base, recent } = bucket
  refill(bucket, perMinute, now)
  const shared = base.tokens + tokensIn(now - base.atMs, perMinute) - base.taken - elsewhere
  bucket.tokens = Math.min(bucket.tokens, shared)
  bucket.sum = sum
  bucket.base = { tokens: bucket.tokens, atMs: now, taken: 0 }
  if (elsewhere > 0) count(recent, now, elsewhere)
}
