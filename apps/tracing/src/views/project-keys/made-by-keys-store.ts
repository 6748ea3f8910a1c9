import type { KeyMade } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'

/** Something that works on without its key. */
export interface StoredKeyMade extends Omit<KeyMade, 'created_at' | 'is_ended'> {
  created_at: Micros
}

/** Public links, monitors and webhooks by the keys that created them. Items from before keys were recorded have the id `''` for their key. */
export interface MadeByKeysStore {
  /** Active items that a key created, newest first of each kind. */
  listOfKey(keyId: string): Promise<StoredKeyMade[]>
  /** What works in a project whose key is revoked, has expired, was removed or is not known. */
  listWithoutKey(projectId: string, now: Micros): Promise<StoredKeyMade[]>
  /** Deletes links and webhooks, and switches monitors off, as one step. */
  end(made: readonly StoredKeyMade[]): Promise<void>
}
