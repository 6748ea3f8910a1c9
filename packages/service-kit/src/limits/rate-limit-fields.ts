/** A limit and the remaining quota of a client. */
export interface QuotaState {
  /** Name of the policy: ASCII without quotation marks. */
  name: string
  quota: number
  windowSeconds: number
  /** Unit of the quota. Default: requests. */
  unit?: 'content-bytes'
  left: number
  /** Seconds within which the client can use no more than `left`. */
  effectiveSeconds: number
}

/**
 * Header fields with the remaining quota of clients, as defined by `RateLimit header fields for HTTP` (draft-ietf-httpapi-ratelimit-headers-11,
 * sections 3 and 4). Undefined if nothing is limited.
 */
export function rateLimitFields(states: readonly QuotaState[]): Record<string, string> | undefined {
  if (states.length === 0) return undefined
  return {
    'ratelimit-policy': states.map(policyItem).join(', '),
    ratelimit: states.map(({ name, left, effectiveSeconds }) => `"${name}";r=${left};t=${effectiveSeconds}`).join(', '),
  }
}

function policyItem({ name, quota, windowSeconds, unit }: QuotaState): string {
  return `"${name}";q=${quota}${unit === undefined ? '' : `;qu="${unit}"`};w=${windowSeconds}`
}
