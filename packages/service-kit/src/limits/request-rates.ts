import type { LimitName } from '@heddle/core-api/internal'
import { LRUCache } from 'lru-cache'
import { countOne, noneYet, type RecentCount, sumOf } from './recent-count.ts'
import { fullBucket, msUntilNextToken, refill, type TokenBucket } from './token-bucket.ts'

/** Projects, and keys in projects, whose requests are counted; the ones that were idle for longest are forgotten first. */
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

/** What is left of a rate at one time. */
export interface RateState {
  /** Requests that may follow at once. */
  left: number
  /** About those of the last minute. */
  used: number
  /** Until one more may follow, were the bucket not full. */
  msUntilNext: number
}

/** Counts requests against limits, each in a token bucket of its own. */
export interface RequestRates {
  /** Takes one request of each rate, or of none. Returns a rate that has none left. */
  take(rates: readonly Rate[]): Rate | undefined
  /** A rate that has none left. Takes nothing. */
  findEmpty(rates: readonly Rate[]): Rate | undefined
  stateOf(rate: Rate): RateState
}

interface CountedBucket extends TokenBucket {
  recent: RecentCount
}

export function createRequestRates(nowMs: () => number): RequestRates {
  const buckets: Record<RateName, LRUCache<string, CountedBucket>> = {
    requests_per_minute: new LRUCache({ max: maxBuckets }),
    requests_per_minute_per_key: new LRUCache({ max: maxBuckets }),
  }

  function bucketOf({ name, perMinute, projectId, keyId }: Rate): CountedBucket {
    const now = nowMs()
    // Ids of keys have no slash, so it belongs to one pair alone.
    const whose = name === 'requests_per_minute' ? projectId : `${keyId}/${projectId}`
    const known = buckets[name].get(whose)
    if (known) {
      refill(known, perMinute, now)
      return known
    }
    const bucket = { ...fullBucket(perMinute, now), recent: noneYet() }
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
        countOne(bucket.recent, nowMs())
      }
      return undefined
    },
    stateOf(rate) {
      const bucket = bucketOf(rate)
      return {
        left: Math.floor(bucket.tokens),
        used: sumOf(bucket.recent, nowMs()),
        msUntilNext: msUntilNextToken(bucket, rate.perMinute),
      }
    },
  }
}
