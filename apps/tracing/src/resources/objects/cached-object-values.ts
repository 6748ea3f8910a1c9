import type { ProjectScope } from '@heddle/identity'
import { LRUCache } from 'lru-cache'
import type { ObjectValuesStore } from './object-values-store.ts'

/** Bytes that an entry takes beside its text. */
const entryBytes = 200

/**
 * Keeps values that were read or written lately, up to `maxBytes` of memory. Never stale, since a digest names one content;
 * a value above an eighth of the cache is not kept.
 */
export function cachedObjectValues(store: ObjectValuesStore, maxBytes: number): ObjectValuesStore {
  const cache = new LRUCache<string, string>({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / 8),
    sizeCalculation: (json) => json.length * 2 + entryBytes,
  })
  const keyOf = (project: ProjectScope, digest: string) => `${project.id}\0${digest}`
  return {
    async put(project, value) {
      const key = keyOf(project, value.digest)
      if (cache.has(key)) return
      await store.put(project, value)
      cache.set(key, value.json)
    },

    async read(project, digests) {
      const found = new Map<string, string>()
      const missing = new Set<string>()
      for (const digest of digests) {
        const json = cache.get(keyOf(project, digest))
        if (json === undefined) missing.add(digest)
        else found.set(digest, json)
      }
      if (missing.size === 0) return found
      for (const [digest, json] of await store.read(project, [...missing])) {
        cache.set(keyOf(project, digest), json)
        found.set(digest, json)
      }
      return found
    },
  }
}
