import type { CallRow } from '@heddle/datastore'
import { LRUCache } from 'lru-cache'
import { EncodedCall, type WrittenCall } from './encoded-call.ts'
import { createKnownKeys } from './known-keys.ts'

/** Ids of a project that are stored. */
export interface StoredIds {
  project_id: string
  ids: readonly string[]
}

/** What a server knows of calls without asking the store. */
export interface CallsMemory {
  /** The latest version of a call; `'none'` when nothing of it was ever stored; `'unknown'` when only the store can tell. */
  recall(projectId: string, id: string): CallRow | 'none' | 'unknown'
  /** Told before rows are stored: from now on nobody else may be told that there is nothing of them. */
  expect(rows: readonly WrittenCall[]): void
  /** Told when rows are stored. */
  remember(rows: readonly WrittenCall[]): void
  /** Told when nobody knows whether rows were stored. */
  forget(rows: readonly WrittenCall[]): void
}

/** For servers that share their store with others: what one of them remembers another may have changed. */
export const noMemory: CallsMemory = { recall: () => 'unknown', expect() {}, remember() {}, forget() {} }

interface LocalMemoryOptions {
  /** All ids that are stored, read once. Until the last of them, calls that are not remembered are unknown. */
  stored: AsyncIterable<StoredIds>
  /** Bytes of calls without an end that are kept. */
  maxBytes: number
  /** Told when the ids could not be read: every call then stays unknown, which is slower and still right. */
  onError: (error: unknown) => void
}

const rowBytes = 1_000

/** For the only server of a store: remembers calls that wait for their end, and which ids there are. */
export function localMemory({ stored, maxBytes, onError }: LocalMemoryOptions): CallsMemory {
  const open = new LRUCache<string, CallRow>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  const known = createKnownKeys()
  let isComplete = false
  const load = async () => {
    for await (const { project_id, ids } of stored) for (const id of ids) known.add(keyOf(project_id, id))
    isComplete = true
  }
  load().catch(onError)
  return {
    recall(projectId, id) {
      const key = keyOf(projectId, id)
      const row = open.get(key)
      if (row !== undefined) return row
      return isComplete && !known.mayHave(key) ? 'none' : 'unknown'
    },
    expect(rows) {
      for (const row of rows) known.add(keyOf(row.project_id, row.id))
    },
    remember(rows) {
      for (const row of rows) {
        if (isOpen(row)) open.set(keyOf(row.project_id, row.id), row instanceof EncodedCall ? row.toRow() : row)
        else open.delete(keyOf(row.project_id, row.id))
      }
    },
    forget(rows) {
      for (const row of rows) open.delete(keyOf(row.project_id, row.id))
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
