import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { payloadColumns, type CallColumns, type CallKey, type CallsStore, type PayloadColumn } from '../calls-store.ts'
import type { PagesCache } from './pages-cache.ts'

interface CachedPagesOptions {
  cache: PagesCache
  clock: () => Micros
}

/**
 * A store that keeps the calls of small pages. Never stale, even where other servers write to the store: which calls there are, and in which
 * version, is asked of the store each time, and what a version holds never changes.
 */
export function cachedPages(store: CallsStore, { cache, clock }: CachedPagesOptions): CallsStore {
  function recall(project: ProjectScope, { id, version }: CallKey, payloads: ReadonlySet<PayloadColumn>): CallColumns | undefined {
    const call = cache.get(project, id)
    if (call === undefined || String(call.version) !== version) return undefined
    return holds(call, payloads) ? withPayloads(call, payloads) : undefined
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
      cache.keep(project, read)
      for (const call of read) calls.set(call.id, call)
      return keys.flatMap(({ id }) => calls.get(id) ?? [])
    },

    async readOne(project, id) {
      const known = cache.get(project, id)
      if (known !== undefined && holds(known, all) && isAlive(known, clock()) && (await store.isLatest(project, known))) return known
      const call = await store.readOne(project, id)
      if (call !== undefined) cache.keep(project, [call])
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
