import type { ProjectScope } from '@heddle/identity'
import { LRUCache } from 'lru-cache'
import { type CacheStats, lruStats } from '../../../cache-stats.ts'
import { payloadColumns, type CallColumns } from '../calls-store.ts'

/** Calls as they were read, each with the requested payloads, or as they were written. */
export interface PagesCache {
  get(project: ProjectScope, id: string): CallColumns | undefined
  /** Keeps the calls of a small page. */
  keep(project: Pick<ProjectScope, 'id'>, calls: readonly CallColumns[]): void
  stats(): CacheStats[]
}

/** Nothing is kept. */
export const noPagesCache: PagesCache = { get: () => undefined, keep() {}, stats: () => [] }

/** Bytes of a call without its payloads. */
const callBytes = 1_500
/** Most calls of a cached page: a larger page belongs to a stream, which would evict all other calls. */
const largestKeptPage = 200

/** Up to `maxBytes` of memory. A call above a sixteenth of it is not kept. */
export function createPagesCache({ maxBytes }: { maxBytes: number }): PagesCache {
  const kept = new LRUCache<string, CallColumns>({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / 16),
    sizeCalculation: bytesOf,
  })
  return {
    get: (project, id) => kept.get(keyOf(project, id)),
    keep(project, calls) {
      if (calls.length > largestKeptPage) return
      for (const call of calls) kept.set(keyOf(project, call.id), call)
    },
    stats: () => [lruStats('calls.pages', kept)],
  }
}

function keyOf(project: Pick<ProjectScope, 'id'>, id: string): string {
  return `${project.id}\0${id}`
}

/** Texts count two bytes a character, though most take one: the record that is built from them takes the other. */
function bytesOf(call: CallColumns): number {
  return payloadColumns.reduce((bytes, name) => bytes + 2 * (call[name]?.length ?? 0), callBytes)
}
