import type { ScopedAnalytical } from '@heddle/datastore'
import type { WrittenStarts } from '../../../query/calls-query.ts'
import type { CallsCache } from '../cache/calls-cache.ts'
import type { CallKey, CallsSelection, CallsStore } from '../calls-store.ts'
import type { PreparedSelection, SelectionPreparer } from './prepare-selection.sql.ts'

/** Keys that are held at a time. */
const blockSize = 50_000
export interface CallSelectionDeps {
  analytical: ScopedAnalytical
  cache: Pick<CallsCache, 'pageRanges'>
  preparer: SelectionPreparer
}

/** How calls are selected. The query of a selection is compiled once, for all its time ranges and blocks. */
export function sqlCallSelectionStore({
  analytical,
  cache,
  preparer: { prepare, statementOf },
}: CallSelectionDeps): Pick<CallsStore, 'select' | 'findWritten' | 'count' | 'storageOf'> {
  /** The keys of one page or block, from the range of time where it probably lies, or else from all of time. */
  async function findBlock(prepared: PreparedSelection, block: CallsSelection): Promise<CallKey[]> {
    const { project, query } = prepared
    const { ranges, record } = cache.pageRanges.of(project.id, block)
    let keys: CallKey[] = []
    for (const range of [...ranges, undefined]) {
      const statement = query.keys(await statementOf(prepared, range), block)
      keys = await analytical.of(project).rows<CallKey>(statement)
      if (keys.length === block.limit) break
    }
    record(keys)
    return keys
  }

  return {
    async select(project, selection) {
      const prepared = await prepare(project, selection)
      const total = selection.limit ?? Number.POSITIVE_INFINITY
      const start = selection.offset ?? 0
      const blockAt = (found: number) =>
        findBlock(prepared, { ...selection, limit: Math.min(blockSize, total - found), offset: start + found })
      const first = await blockAt(0)
      return (async function* () {
        let found = first.length
        for (let block = first; block.length > 0; found += block.length) {
          yield block
          if (block.length < blockSize || found >= total) return
          block = await blockAt(found)
        }
      })()
    },

    async findWritten(project, { filter, query, started, ...range }) {
      const prepared = await prepare(project, { filter, query, sort_by: null, limit: null, offset: null, expand_columns: null })
      const [written] = await analytical.of(project).rows<WrittenStarts>(prepared.query.writtenStarts(started, range))
      if (written === undefined || written.versions === 0) return []
      // Recently written calls mostly started recently: the other calls are then not read.
      const statement = prepared.query.written(await statementOf(prepared, { from: written.first, until: written.last }), range)
      return analytical.of(project).rows<CallKey>(statement)
    },

    async count(project, selection) {
      const prepared = await prepare(project, selection)
      const statement = prepared.query.count(await statementOf(prepared))
      const [row] = await analytical.of(project).rows<{ count: number }>(statement)
      return row?.count ?? 0
    },

    async storageOf(project, selection) {
      const prepared = await prepare(project, selection)
      const statement = prepared.query.storage(await statementOf(prepared))
      const [row] = await analytical.of(project).rows<{ bytes: number | null }>(statement)
      return row?.bytes ?? 0
    },
  }
}
