import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { LRUCache } from 'lru-cache'
import { payloadColumns, type CallColumns, type CallKey, type CallsStore, type PayloadColumn } from '../calls-store.ts'

/** Bytes that a call takes beside its payloads. */
const callBytes = 1_500
/** Calls that are read at once: a page of more belongs to a stream, which would push out all others. */
const largestKeptPage = 200

interface CachedPagesOptions {
  maxBytes: number
  clock: () => Micros
}

/**
 * A store that keeps the calls of small pages, up to `maxBytes` of memory. Never stale: which calls there are, and in which version, is asked
 * of the store each time, and what a version holds never changes. A call above a sixteenth of the memory is not kept.
 */
export function cachedPages(store: CallsStore, { maxBytes, clock }: CachedPagesOptions): CallsStore {
  const kept = new LRUCache<string, CallColumns>({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / 16),
    sizeCalculation: bytesOf,
  })

  function recall(project: ProjectScope, { id, version }: CallKey, payloads: ReadonlySet<PayloadColumn>): CallColumns | undefined {
    const call = kept.get(keyOf(project, id))
    if (call === undefined || String(call.version) !== version) return undefined
    return holds(call, payloads) ? withPayloads(call, payloads) : undefined
  }

  function keep(project: ProjectScope, calls: readonly CallColumns[]): void {
    if (calls.length > largestKeptPage) return
    for (const call of calls) kept.set(keyOf(project, call.id), call)
  }

  return {
    ...store,

    async readPage(project, keys, payloads) {
      const calls = new Map<string, CallColumns>()
      const missing: CallKey[] = []
      for (const key of keys) {
        const call = recall(project, key, payloads)
        if (call === undefined) missing.push(key)
        else calls.set(call.id, call)
      }
      const read = await store.readPage(project, missing, payloads)
      keep(project, read)
      for (const call of read) calls.set(call.id, call)
      return keys.flatMap(({ id }) => calls.get(id) ?? [])
    },

    async readOne(project, id) {
      const known = kept.get(keyOf(project, id))
      if (known !== undefined && holds(known, all) && isAlive(known, clock()) && (await store.isLatest(project, known))) return known
      const call = await store.readOne(project, id)
      if (call !== undefined) keep(project, [call])
      return call
    },
  }
}

const all: ReadonlySet<PayloadColumn> = new Set(payloadColumns)

function isAlive({ expire_at }: CallColumns, now: Micros): boolean {
  return expire_at === 0 || expire_at > now
}

function holds(call: CallColumns, payloads: ReadonlySet<PayloadColumn>): boolean {
  return [...payloads].every((name) => call[name] !== null)
}

/** A call without the payloads that are not asked for. */
function withPayloads(call: CallColumns, payloads: ReadonlySet<PayloadColumn>): CallColumns {
  const left = payloadColumns.filter((name) => !payloads.has(name))
  return left.length === 0 ? call : { ...call, ...Object.fromEntries(left.map((name) => [name, null])) }
}

function keyOf(project: ProjectScope, id: string): string {
  return `${project.id}\0${id}`
}

/** Texts count two bytes a character, though most take one. */
function bytesOf(call: CallColumns): number {
  return payloadColumns.reduce((bytes, name) => bytes + 2 * (call[name]?.length ?? 0), callBytes)
}
