const minuteMs = 60_000

/** Tokens that are refilled over time. Refilling happens on access, so it needs no timer. */
export interface TokenBucket {
  tokens: number
  /** When it was refilled. */
  atMs: number
}

/** Most tokens of a bucket: so few that any 60 s have at most the limit and 5 % of it, and with a limit below 20 at most the limit. */
export function burstOf(perMinute: number): number {
  return 1 + Math.floor(perMinute * 0.05)
}

export function fullBucket(perMinute: number, nowMs: number): TokenBucket {
  return { tokens: burstOf(perMinute), atMs: nowMs }
}

/** Adds the tokens of the time since the last refill, at the rate that holds now. */
export function refill(bucket: TokenBucket, perMinute: number, nowMs: number): void {
  const elapsedMs = Math.max(0, nowMs - bucket.atMs)
  bucket.tokens = Math.min(burstOf(perMinute), bucket.tokens + tokensIn(elapsedMs, perMinute))
  bucket.atMs = nowMs
}

/** Milliseconds until the bucket has one more whole token, ignoring its size. For a bucket overdrawn by other servers, until it has its first. */
export function msUntilNextToken({ tokens }: TokenBucket, perMinute: number): number {
  return ((Math.max(0, Math.floor(tokens)) + 1 - tokens) * minuteMs) / perMinute
}

/** Tokens refilled in a time. */
export function tokensIn(elapsedMs: number, perMinute: number): number {
  return (elapsedMs * perMinute) / minuteMs
}
