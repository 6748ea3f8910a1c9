import { bind, serverWork, sql, type ScopedAnalytical } from '@heddle/datastore'
import type { CallsCacheStore, StoredIds } from './calls-cache-store.ts'

export function sqlCallsCacheStore(analytical: ScopedAnalytical): CallsCacheStore {
  return {
    async *storedIds(signal) {
      const statement = sql`SELECT project_id, groupArray(id) AS ids FROM heddle.calls GROUP BY project_id, intDiv(rowNumberInAllBlocks(), 10000)`
      for await (const blocks of analytical.of({ ...serverWork, signal }).blocks<StoredIds>(statement)) yield* blocks
    },

    async readUnindexed(projectId, limit) {
      const found = await analytical
        .of(serverWork)
        .rows<{ idx_gaps: string }>(
          sql`SELECT DISTINCT idx_gaps FROM heddle.calls WHERE project_id = ${bind('String', projectId)} LIMIT ${bind('UInt64', limit)}`,
        )
      return found.map(({ idx_gaps }) => idx_gaps)
    },
  }
}
