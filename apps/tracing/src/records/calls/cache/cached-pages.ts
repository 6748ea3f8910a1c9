import type { CallRow, Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { payloadColumns, shownColumns, type CallColumns, type CallKey, type CallsStore, type PayloadColumn } from '../calls-store.ts'
import { EncodedCall, type WrittenCall } from '../row/encoded-call.ts'
import type { OpenCallsCache } from './open-calls-cache.ts'
import type { PagesCache } from './pages-cache.ts'

interface CachedPagesOptions {
  cache: PagesCache
  /** Calls without an end are read from there, without the wait until they are in their table. */
  openCalls: Pick<OpenCallsCache, 'get'>
  clock: () => Micros
}

/**
 * A store that caches the calls of small pages and of small writes. Never stale, even if other servers write to the store: the existing calls and their versions are
 * always read from the store, and the content of a version never changes.
 */
export function cachedPages(store: CallsStore, { cache, openCalls, clock }: CachedPagesOptions): CallsStore {
  function recall(project: ProjectScope, { id, version }: CallKey, payloads: ReadonlySet<PayloadColumn>): CallColumns | undefined {
    const call = cache.get(project, id)
    if (call === undefined || String(call.version) !== version) return undefined
    return holds(call, payloads) ? withPayloads(call, payloads) : undefined
  }

  return {
    ...store,

    async append(rows) {
      await store.append(rows)
      if (rows.length > largestKeptWrite) return
      for (const row of rows) {
        if (row.has_start === 1 && row.is_deleted === 0) cache.keep({ id: row.project_id }, [writtenCall(row)])
      }
    },

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
      const open = openCalls.get(project.id, id)
      if (open === 'none') return undefined
      // The parts that a raw span shares with the payloads are filled in by the store.
      if (open !== 'unknown' && open.otel === '') return open.has_start === 1 && isAlive(open, clock()) ? wholeCall(open) : undefined
      const known = cache.get(project, id)
      if (known !== undefined && holds(known, all) && isAlive(known, clock()) && (await store.isLatest(project, known))) return known
      const call = await store.readOne(project, id)
      if (call !== undefined) cache.keep(project, [call])
      return call
    },
  }
}

/** Most calls of a write that are kept: who sends more at once does not read each of them, and would evict those of others. */
const largestKeptWrite = 4

const wholeColumns = ['project_id', ...shownColumns, ...payloadColumns] as const

function wholeCall(row: CallRow, valueOf = (value: unknown) => value): CallColumns {
  return Object.fromEntries(wholeColumns.map((name) => [name, valueOf(row[name])])) as CallColumns
}

/** A call that was written, as a page reads it. */
function writtenCall(row: WrittenCall): CallColumns {
  if (row instanceof EncodedCall) return wholeCall(row.toRow())
  // In UTF-8 a lone surrogate is a replacement character.
  return wholeCall(row, (value) => (typeof value === 'string' ? value.toWellFormed() : value))
}

const all: ReadonlySet<PayloadColumn> = new Set(payloadColumns)

function isAlive({ expire_at }: Pick<CallColumns, 'expire_at'>, now: Micros): boolean {
  return expire_at === 0 || expire_at > now
}

function holds(call: CallColumns, payloads: ReadonlySet<PayloadColumn>): boolean {
  return [...payloads].every((name) => call[name] !== null)
}

/** A call without the payloads that were not requested. */
function withPayloads(call: CallColumns, payloads: ReadonlySet<PayloadColumn>): CallColumns {
  const left = payloadColumns.filter((name) => !payloads.has(name))
  return left.length === 0 ? call : { ...call, ...Object.fromEntries(left.map((name) => [name, null])) }
}
