import { callsTable, columnsExcept, rowDecoder, type ScopedAnalytical } from '@heddle/datastore'
import { unknownIndex } from '../../../query/build-index.ts'
import type { UnindexedPathsCache } from '../cache/unindexed-paths-cache.ts'
import type { CallsStore } from '../calls-store.ts'
import { createVersionLookup } from '../row/version-lookup-store.sql.ts'
import { encodeCalls } from './encode-calls.ts'

/** A version of a call without its index, by which writes are merged. */
const storedCall = rowDecoder(callsTable, columnsExcept(callsTable, ['idx', 'idx_gaps']), unknownIndex)
/** Ids of one look-up. */
const maxLookedUp = 2_000

/** How versions of calls are stored, and found again to be merged. */
export function sqlCallVersionsStore(
  analytical: ScopedAnalytical,
  unindexedPaths: UnindexedPathsCache,
): Pick<CallsStore, 'findLatest' | 'append'> {
  const lookUp = createVersionLookup(analytical, { row: storedCall, maxIds: maxLookedUp, isConsistent: true })
  return {
    async findLatest(project, ids) {
      const found = await lookUp(project, ids)
      return ids.flatMap((id) => found.get(id) ?? [])
    },

    async append(rows) {
      await unindexedPaths.storing(rows, async () => analytical.insert(callsTable, await encodeCalls(rows)))
    },
  }
}
