import type { RelationalStore } from '@heddle/datastore'
import type { SharedTracesStore } from './shared-traces-store.ts'

const columns = ['project_id', 'id', 'trace_id', 'created_by', 'created_at', 'expires_at'] as const

export function sqlSharedTracesStore(database: RelationalStore): SharedTracesStore {
  const table = database.selectFrom('shared_traces')
  return {
    findByHash: (hash, now) => table.select(columns).where('hash', '=', hash).where('expires_at', '>', now).executeTakeFirst(),

    async list(projectId, now, { traceId, limit, offset }) {
      // PostgreSQL refuses to look for a text with NUL, which is in no row.
      if (traceId?.includes('\0')) return []
      return table
        .select(columns)
        .where('project_id', '=', projectId)
        .where('expires_at', '>', now)
        .$if(traceId !== null, (query) => query.where('trace_id', '=', traceId ?? ''))
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
    },

    async count(projectId, now) {
      const { links } = await table
        .select(({ fn }) => fn.countAll().as('links'))
        .where('project_id', '=', projectId)
        .where('expires_at', '>', now)
        .executeTakeFirstOrThrow()
      return Number(links)
    },

    async insert(link, { hash, keyId }) {
      await database
        .insertInto('shared_traces')
        .values({ ...link, hash, key_id: keyId })
        .execute()
    },

    async delete(projectId, id) {
      if (id.includes('\0')) return
      await database.deleteFrom('shared_traces').where('project_id', '=', projectId).where('id', '=', id).execute()
    },

    async deleteExpired(now) {
      await database.deleteFrom('shared_traces').where('expires_at', '<=', now).execute()
    },
  }
}
