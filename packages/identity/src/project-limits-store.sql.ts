import { type LimitChanges, limitNames, type LimitValues } from '@heddle/core-api/internal'
import { inParts, type RelationalStore } from '@heddle/datastore'

/** The limits that administrators have set for projects. */
export function sqlProjectLimitsStore(database: RelationalStore) {
  return {
    async read(projectId: string): Promise<LimitValues> {
      const row = await database.selectFrom('project_limits').select(limitNames).where('project_id', '=', projectId).executeTakeFirst()
      return row ?? { requests_per_minute: null, requests_per_minute_per_key: null, ingested_bytes_per_day: null }
    },

    async write(project: { readonly id: string; readonly signal?: AbortSignal | undefined }, changes: LimitChanges): Promise<void> {
      const given = Object.fromEntries(limitNames.filter((name) => changes[name] !== undefined).map((name) => [name, changes[name]]))
      if (Object.keys(given).length === 0) return
      await database
        .of({ signal: project.signal })
        .insertInto('project_limits')
        .values({ project_id: project.id, ...given })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet(given))
        .execute()
    },

    async readBytes(projectId: string, day: number): Promise<number> {
      const row = await database
        .selectFrom('project_ingested_bytes')
        .select('bytes')
        .where('project_id', '=', projectId)
        .where('day', '=', day)
        .executeTakeFirst()
      return row?.bytes ?? 0
    },

    async addBytes(added: readonly BytesOfDay[]): Promise<BytesOfDay[]> {
      const totals: BytesOfDay[] = []
      for (const some of inParts(added, rowsOfStatement)) {
        const rows = await database
          .insertInto('project_ingested_bytes')
          .values(some.map(({ projectId, day, bytes }) => ({ project_id: projectId, day, bytes })))
          .onConflict((conflict) =>
            conflict.columns(['project_id', 'day']).doUpdateSet(({ ref, eb }) => ({
              bytes: eb(ref('project_ingested_bytes.bytes'), '+', ref('excluded.bytes')),
            })),
          )
          .returning(['project_id', 'day', 'bytes'])
          .execute()
        for (const { project_id, day, bytes } of rows) totals.push({ projectId: project_id, day, bytes })
      }
      return totals
    },

    async addRequests(added: readonly CountedRequests[], day: number): Promise<CountedRequests[]> {
      const sums: CountedRequests[] = []
      for (const some of inParts(added, rowsOfStatement)) {
        const rows = await database
          .insertInto('project_request_counts')
          .values(some.map((counted) => ({ ...counted, day })))
          .onConflict((conflict) =>
            conflict.columns(['rate', 'subject']).doUpdateSet(({ ref, eb }) => ({
              requests: eb(ref('project_request_counts.requests'), '+', ref('excluded.requests')),
              day: ref('excluded.day'),
            })),
          )
          .returning(['rate', 'subject', 'requests'])
          .execute()
        sums.push(...rows)
      }
      return sums
    },

    async deleteRequestsBefore(day: number): Promise<void> {
      await database.deleteFrom('project_request_counts').where('day', '<', day).execute()
    },

    async deleteBytesBefore(day: number): Promise<void> {
      await database.deleteFrom('project_ingested_bytes').where('day', '<', day).execute()
    },
  }
}

/** Fewer than the parameters that a statement may have in either store. */
const rowsOfStatement = 5_000

interface CountedRequests {
  rate: 'requests_per_minute' | 'requests_per_minute_per_key'
  subject: string
  requests: number
}

interface BytesOfDay {
  projectId: string
  day: number
  bytes: number
}
