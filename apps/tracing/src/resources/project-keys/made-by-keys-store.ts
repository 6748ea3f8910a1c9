import type { KeyMade } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'

/** Something that works on without its key. */
export interface StoredKeyMade extends Omit<KeyMade, 'created_at' | 'is_ended'> {
  created_at: Micros
}

/** Public links, monitors and webhooks by the keys with which they were made. What was made before keys were noted is not among them. */
export interface MadeByKeysStore {
  /** What a key made and what works, the newest first of each kind. */
  listOfKey(keyId: string): Promise<StoredKeyMade[]>
  /** What works in a project whose key is revoked, has expired or was removed. */
  listWithoutKey(projectId: string, now: Micros): Promise<StoredKeyMade[]>
  /** Deletes links and webhooks, and switches monitors off, as one step. */
  end(made: readonly StoredKeyMade[]): Promise<void>
}
