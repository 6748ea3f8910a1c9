import { isDeepStrictEqual } from 'node:util'
import { type AnsweredRow, bind, type Queries, sql, type Sql, type TraceRow } from '@heddle/datastore'
import { isSame, nodesOf, type NodesOfTrace, usageBefore, type UsageKey, wholeTrace } from './settle-traces-store.sql.ts'
import { settledRows, toStoredNode } from './settled-rows.ts'

export interface TracesComparison {
  compared: number
  /** `project: trace` of those whose rows do not match their calls. */
  different: string[]
}

interface ComparedTrace {
  project_id: string
  trace_id: string
  from_micros: number
  until_micros: number
}

/** Traces of each of the two samples. */
const sampleSize = 100
/** Calls, about, among which traces are chosen. */
const callsLookedAt = 50_000
/** Traces above so many calls take too long. */
const maxCalls = 100_000

/**
 * Compares the stored rows of some traces and their usage with the result of settling their calls now. Traces whose rows are pending are skipped.
 * `pause` lets a running server settle its latest writes before a difference counts.
 */
export async function compareTraces(store: Pick<Queries, 'rows'>, pause: () => Promise<unknown>): Promise<TracesComparison> {
  const seed = Math.floor(Math.random() * 2 ** 32)
  const found = [...(await store.rows<ComparedTrace>(settledSample(seed))), ...(await store.rows<ComparedTrace>(calledSample(seed)))]
  const different = await differing(store, found)
  if (different.length > 0) await pause()
  const stillDifferent = await differing(store, different)
  return { compared: found.length, different: stillDifferent.map(({ project_id, trace_id }) => `${project_id}: ${trace_id}`) }
}

async function differing(store: Pick<Queries, 'rows'>, traces: readonly ComparedTrace[]): Promise<ComparedTrace[]> {
  const different: ComparedTrace[] = []
  for (const trace of traces) if (!(await isTrue(store, trace))) different.push(trace)
  return different
}

async function isTrue(store: Pick<Queries, 'rows'>, compared: ComparedTrace): Promise<boolean> {
  const { project_id, trace_id, from_micros, until_micros } = compared
  const range = { from: from_micros, until: until_micros }
  const [stored] = (await store.rows<AnsweredRow>(storedTrace(project_id, trace_id))).map(wholeTrace.decode)
  if (stored !== undefined && (stored.is_behind === 1 || (stored.calls ?? 0) > maxCalls)) return true
  const usage = await store.rows<UsageKey>(usageBefore([compared], range))
  const [called] = await store.rows<NodesOfTrace>(nodesOf([compared], range))
  const settled = called && settledRows(compared, called.nodes.map(toStoredNode))
  if (settled === undefined || stored === undefined) return settled === undefined && stored === undefined && usage.length === 0
  const rows = new Map(settled.usage.map((row) => [keyOf(row.call_id, row.model), row]))
  const isUsageTrue = usage.every((row) => {
    const own = rows.get(keyOf(row.call_id, row.model))
    // A row with a count that an older version did not have is to be written again.
    return own !== undefined && (row.counted.includes(null) || isSame(row, own))
  })
  return usage.length === rows.size && isUsageTrue && isDeepStrictEqual(comparable(stored), comparable(settled.trace))
}

const keyOf = (callId: string, model: string) => JSON.stringify([callId, model])

/** A form of a trace's row that is equal for equal content. Lists from sets are unordered. */
function comparable(row: Omit<TraceRow, 'version' | 'is_deleted' | 'is_behind'>) {
  const { calls, errors, root_id, thread_id, status, started_at, ended_at, models, total_tokens, orphans, failed_above } = row
  const tokens = Object.fromEntries(models.map((model, index) => [model, total_tokens[index]]))
  return { calls, errors, root_id, thread_id, status, started_at, ended_at, tokens, marks: [...orphans, '', ...failed_above].toSorted() }
}

const micros = (column: Sql) => sql`toFloat64(toUnixTimestamp64Micro(${column}))`

function storedTrace(project_id: string, trace_id: string): Sql {
  return sql`SELECT ${wholeTrace.select} FROM heddle.traces FINAL WHERE project_id = ${bind('String', project_id)} AND trace_id = ${bind('String', trace_id)}`
}

function settledSample(seed: number): Sql {
  return sql`SELECT toString(project_id) AS project_id, trace_id, ${micros(sql`started_at`)} AS from_micros, ${micros(sql`last_start_at`)} AS until_micros
    FROM heddle.traces FINAL ORDER BY cityHash64(trace_id, ${bind('UInt64', seed)}) LIMIT ${bind('UInt64', sampleSize)}`
}

/** Some of all calls, with the range of their traces: a trace may have no row at all. */
function calledSample(seed: number): Sql {
  const some = sql`SELECT DISTINCT trace_id FROM heddle.calls WHERE trace_id != '' AND cityHash64(trace_id, ${bind('UInt64', seed)}) % (SELECT greatest(1, intDiv(count(), ${bind('UInt64', callsLookedAt)})) FROM heddle.calls) = 0 LIMIT ${bind('UInt64', sampleSize)}`
  return sql`SELECT toString(project_id) AS project_id, trace_id, ${micros(sql`min(started_at)`)} AS from_micros, ${micros(sql`max(started_at)`)} AS until_micros
    FROM heddle.calls WHERE trace_id IN (${some}) GROUP BY project_id, trace_id`
}
