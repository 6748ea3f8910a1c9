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
}

/** For servers that share their store with other servers, which may change cached calls. */
export const noOpenCallsCache: OpenCallsCache = { get: () => 'unknown', announce() {}, commit() {}, rollback() {}, stats: () => [] }

interface OpenCallsCacheOptions {
  /** All ids that are stored, read once. Until the last of them, calls that are not cached are unknown. */
  stored: AsyncIterable<StoredIds>
  /** Bytes of calls without an end that are kept. */
  maxBytes: number
  /** Bytes of the ids that are stored. */
  maxIdsBytes: number
  /** Called when the ids could not be read: every call that is not cached is then unknown, which is slower but correct. */
  onError: (error: unknown) => void
}

const rowBytes = 1_000

/** For the only server of a store. */
export function createOpenCallsCache({ stored, maxBytes, maxIdsBytes, onError }: OpenCallsCacheOptions): OpenCallsCache {
  const open = new LRUCache<string, CallRow>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  const storedKeys = createBloomFilter({ maxBytes: maxIdsBytes })
  let isComplete = false
  const load = async () => {
    for await (const { project_id, ids } of stored) for (const id of ids) storedKeys.add(keyOf(project_id, id))
    isComplete = true
  }
  load().catch(onError)
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
