import type { ProjectKey } from '@heddle/core-api/types'

/** Whether a key works at a time, in milliseconds. */
export function stateOfKey({ revoked_at, expires_at }: Pick<ProjectKey, 'revoked_at' | 'expires_at'>, now: number) {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active'
}
