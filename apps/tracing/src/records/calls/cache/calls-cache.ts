import type { CacheStats } from '../../../cache-stats.ts'
import type { CallsCacheStore } from './calls-cache-store.ts'
import { createOpenCallsCache, noOpenCallsCache, type OpenCallsCache } from './open-calls-cache.ts'
import { createPageRangeHints, noPageRangeHints, type PageRangeHints } from './page-range-hints.ts'
import { createPagesCache, noPagesCache, type PagesCache } from './pages-cache.ts'
import { createUnindexedPathsCache, noUnindexedPathsCache, type UnindexedPathsCache } from './unindexed-paths-cache.ts'

/** All that a server keeps of calls in memory. Without any of it the answers are the same and slower. */
export interface CallsCache {
  openCalls: OpenCallsCache
  unindexedPaths: UnindexedPathsCache
  pageRanges: PageRangeHints
  pages: PagesCache
  /** Fill level of each cache; disabled ones are omitted. */
  stats(): CacheStats[]
  /** Ends what is still being read for it. */
  close(): Promise<void>
}

/** Nothing is kept. */
export const noCallsCache: CallsCache = {
  openCalls: noOpenCallsCache,
  unindexedPaths: noUnindexedPathsCache,
  pageRanges: noPageRangeHints,
  pages: noPagesCache,
  stats: () => [],
  close: async () => {},
}

const pagesBytes = 64 * 1024 * 1024
const openCallsBytes = 64 * 1024 * 1024
/** Of about 177 million calls. */
const storedIdsBytes = 512 * 1024 * 1024

interface CallsCacheOptions {
  /** Source of previously stored data. */
  store: CallsCacheStore
  /** Called when the stored ids could not be read: every call that is not cached is then unknown, which is slower but correct. */
  onError: (error: unknown) => void
}

/** For the only server of a store. */
export function createCallsCache({ store, onError }: CallsCacheOptions): CallsCache {
  return withStats({
    openCalls: createOpenCallsCache({
      readStored: store.storedIds,
      maxBytes: openCallsBytes,
      maxIdsBytes: storedIdsBytes,
      onError,
    }),
    unindexedPaths: createUnindexedPathsCache(store),
    pageRanges: createPageRangeHints(),
    pages: createPagesCache({ maxBytes: pagesBytes }),
  })
}

/** For servers that share their store: what other servers may make stale is not kept. Pages are by version, and ranges are hints. */
export function createSharedStoreCallsCache(): CallsCache {
  return withStats({ ...noCallsCache, pageRanges: createPageRangeHints(), pages: createPagesCache({ maxBytes: pagesBytes }) })
}

function withStats(caches: Omit<CallsCache, 'stats' | 'close'>): CallsCache {
  const { openCalls, unindexedPaths, pageRanges, pages } = caches
  return {
    ...caches,
    stats: () => [openCalls, unindexedPaths, pageRanges, pages].flatMap((cache) => cache.stats()),
    close: openCalls.close,
  }
}
