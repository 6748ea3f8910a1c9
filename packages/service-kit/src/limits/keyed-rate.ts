import { LRUCache } from 'lru-cache'
import { atMost } from '../at-most.ts'
import { fullBucket, msUntilNextToken, refill, type TokenBucket } from './token-bucket.ts'

/** Most keys to remember; those idle for longest are forgotten first. */
const maxKeys = 10_000

/** Bounds how often something is done for each of many keys. */
export interface KeyedRate {
  /** Counts once for a key where its rate allows that: then undefined, else the whole seconds after which it may. */
  take(key: string): number | undefined
}

export interface KeyedRateOptions {
  perMinute: number
  /** Milliseconds of a monotonic clock. Default: the process's own. */
  nowMs?: () => number
}

/** A token bucket for each key. */
export function createKeyedRate({ perMinute, nowMs = () => performance.now() }: KeyedRateOptions): KeyedRate {
  const buckets = new LRUCache<string, TokenBucket>(atMost(maxKeys))
  return {
    take(key) {
      const bucket = buckets.get(key) ?? fullBucket(perMinute, nowMs())
      buckets.set(key, bucket)
      refill(bucket, perMinute, nowMs())
      if (bucket.tokens < 1) return Math.max(1, Math.ceil(msUntilNextToken(bucket, perMinute) / 1_000))
      bucket.tokens--
      return undefined
    },
  }
}
