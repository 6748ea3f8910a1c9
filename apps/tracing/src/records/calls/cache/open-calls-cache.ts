import type { CallRow } from '@heddle/datastore'
import { LRUCache } from 'lru-cache'
import { type CacheStats, lruStats } from '../../../cache-stats.ts'
import { EncodedCall, type WrittenCall } from '../row/encoded-call.ts'
import { createBloomFilter } from './bloom-filter.ts'
import type { StoredIds } from './calls-cache-store.ts'

/** A server's knowledge of calls without reading the store: those that wait for their end, and which ids exist. */
export interface OpenCallsCache {
  /** The latest version of a call; `'none'` if nothing of it was ever stored; `'unknown'` if the store must be read. */
  get(projectId: string, id: string): CallRow | 'none' | 'unknown'
  /** Called before rows are stored: from now on they no longer count as absent. */
  announce(rows: readonly WrittenCall[]): void
  /** Called when rows are stored. */
  commit(rows: readonly WrittenCall[]): void
  /** Called when it is unknown whether rows were stored. */
  rollback(rows: readonly WrittenCall[]): void
  stats(): CacheStats[]
  /** Ends the reading of stored ids. */
  close(): Promise<void>
}

/** For servers that share their store with other servers, which may change cached calls. */
export const noOpenCallsCache: OpenCallsCache = {
  get: () => 'unknown',
  announce() {},
  commit() {},
  rollback() {},
  stats: () => [],
  close: async () => {},
}

interface OpenCallsCacheOptions {
  /** Reads all ids that are stored; called once. Until the last of them, calls that are not cached are unknown. */
  readStored: (signal: AbortSignal) => AsyncIterable<StoredIds>
  /** Bytes of calls without an end that are kept. */
  maxBytes: number
  /** Bytes of the ids that are stored. */
  maxIdsBytes: number
  /** Called when the ids could not be read, but for a reading that `close` has ended: every call that is not cached is then unknown, which is slower but correct. */
  onError: (error: unknown) => void
}

const rowBytes = 1_000

/** For the only server of a store. */
export function createOpenCallsCache({ readStored, maxBytes, maxIdsBytes, onError }: OpenCallsCacheOptions): OpenCallsCache {
  const open = new LRUCache<string, CallRow>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  const storedKeys = createBloomFilter({ maxBytes: maxIdsBytes })
  let isComplete = false
  const closed = new AbortController()
  const load = async () => {
    for await (const { project_id, ids } of readStored(closed.signal)) for (const id of ids) storedKeys.add(keyOf(project_id, id))
    isComplete = true
  }
  const loading = load().catch((error: unknown) => {
    if (!closed.signal.aborted) onError(error)
  })
  return {
    get(projectId, id) {
      const key = keyOf(projectId, id)
      const row = open.get(key)
      if (row !== undefined) return row
      return isComplete && !storedKeys.mightContain(key) ? 'none' : 'unknown'
    },
    announce(rows) {
      for (const row of rows) storedKeys.add(keyOf(row.project_id, row.id))
    },
    commit(rows) {
      for (const row of rows) {
        if (isOpen(row)) open.set(keyOf(row.project_id, row.id), row instanceof EncodedCall ? row.toRow() : row)
        else open.delete(keyOf(row.project_id, row.id))
      }
    },
    rollback(rows) {
      for (const row of rows) open.delete(keyOf(row.project_id, row.id))
    },
    stats() {
      const { keys, bytes } = storedKeys.size()
      return [lruStats('calls.open', open), { name: 'calls.stored_ids', entries: keys, max_entries: null, bytes, max_bytes: maxIdsBytes }]
    },
    async close() {
      closed.abort()
      await loading
    },
  }
}

function isOpen(row: WrittenCall): boolean {
  return row.is_deleted === 0 && (row.ended_at === null || row.has_start === 0)
}

function keyOf(projectId: string, id: string): string {
  return `${projectId}\0${id}`
}

function bytesOf(row: CallRow): number {
  return rowBytes + 2 * (row.inputs.length + row.attributes.length + row.output.length + row.summary.length + row.otel.length)
}
