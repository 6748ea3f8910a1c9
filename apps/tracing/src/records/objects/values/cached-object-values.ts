import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { LRUCache } from 'lru-cache'
import type { ObjectValuesStore } from './object-values-store.ts'

/** Bytes of an entry without its text. */
const entryBytes = 200
/** A value that was stored less than this ago is not stored again. The sweeper waits a multiple of it. */
export const freshMicros = 3_600_000_000

interface CachedValue {
  json: string
  /** When it was stored by this server; 0 for one that was only read. */
  storedAt: Micros
}

interface CacheOptions {
  maxBytes: number
  clock: () => Micros
  /** True where other servers remove values: each publication stores its value. */
  sharesStore: boolean
}

/**
 * Keeps values that were read or written lately, up to `maxBytes` of memory. Never stale, since a digest names one content;
 * a value above an eighth of the cache is not kept. A value that is written again is stored again after `freshMicros`.
 */
export function cachedObjectValues(store: ObjectValuesStore, { maxBytes, clock, sharesStore }: CacheOptions): ObjectValuesStore {
  const cache = new LRUCache<string, CachedValue>({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / 8),
    sizeCalculation: ({ json }) => json.length * 2 + entryBytes,
  })
  const keyOf = (project: ProjectScope, digest: string) => `${project.id}\0${digest}`
  return {
    ...store,

    remove(project, keys, findNamed) {
      // Who publishes one of them from now on stores it again.
      for (const { digest } of keys) cache.delete(keyOf(project, digest))
      return store.remove(project, keys, findNamed)
    },

    async put(project, value) {
      const key = keyOf(project, value.digest)
      const known = cache.get(key)
      const storedAt = clock()
      if (!sharesStore && known !== undefined && Math.abs(storedAt - known.storedAt) < freshMicros) return
      await store.put(project, value)
      cache.set(key, { json: value.json, storedAt })
    },

    async read(project, digests) {
      const found = new Map<string, string>()
      const missing = new Set<string>()
      for (const digest of digests) {
        const known = cache.get(keyOf(project, digest))
        if (known === undefined) missing.add(digest)
        else found.set(digest, known.json)
      }
      if (missing.size === 0) return found
      for (const [digest, json] of await store.read(project, [...missing])) {
        cache.set(keyOf(project, digest), { json, storedAt: 0 })
        found.set(digest, json)
      }
      return found
    },
  }
}
