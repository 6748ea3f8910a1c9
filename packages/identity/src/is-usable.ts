import type { Micros } from '@heddle/core-api'
import type { StoredKey } from './identity-store.ts'

/** True for a key that is neither revoked nor expired. */
export function isUsable(key: StoredKey, at: Micros): boolean {
  return key.revoked_at === null && (key.expires_at === null || at < key.expires_at)
}
