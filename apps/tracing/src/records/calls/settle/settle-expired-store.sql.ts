import { bind, type ScopedAnalytical, serverWork, sql, type TouchedTrace } from '@heddle/datastore'
import { settleAgain } from './settle-traces-store.sql.ts'

/** Traces that are settled by one sweep; the next one continues. */
const maxTraces = 10_000

/** Settles traces again if some of their calls have expired and others have not. Resolves to their number. */
export async function settleExpired(analytical: ScopedAnalytical): Promise<number> {
  const own = analytical.of(serverWork)
  const found = await own.rows<{ project_id: string; trace_id: string; from_micros: number; until_micros: number }>(partlyExpired)
  const store = { ...own, insert: analytical.insert, isShared: false }
  await settleAgain(
    store,
    found.map(({ from_micros, until_micros, ...trace }): TouchedTrace => ({ ...trace, from: from_micros, until: until_micros })),
  )
  return found.length
}

const isDue = sql`next_expiry_at > fromUnixTimestamp64Micro(toInt64(0)) AND next_expiry_at <= now64(6)`
const partlyExpired = sql`SELECT toString(project_id) AS project_id, trace_id, toFloat64(toUnixTimestamp64Micro(started_at)) AS from_micros,
    toFloat64(toUnixTimestamp64Micro(last_start_at)) AS until_micros
  FROM heddle.traces FINAL WHERE ${isDue} AND trace_id IN (SELECT trace_id FROM heddle.traces WHERE ${isDue})
    AND (expire_at = fromUnixTimestamp64Micro(toInt64(0)) OR expire_at > now64(6)) LIMIT ${bind('UInt64', maxTraces)}`
