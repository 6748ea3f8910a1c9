import { formatTimestamp } from '@heddle/core-api'
import type { Thread } from '@heddle/core-api/types'
import { conversationRefsOf } from '@heddle/core-api/internal'
import { type ScopedAnalytical, bind, join, sql, type Sql } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ProjectVisibility } from '../../deletions/visibility.ts'
import { seen } from '../../query/calls-query.ts'
import { derivedOf } from '../../query/derived-conditions.ts'
import { compileFeedbackQuery } from '../../query/feedback-query.ts'
import type { HiddenRecords, Visibility } from '../../query/visible-records.ts'
import { pageClause } from '../../query/compile/page-clause.ts'
import type { ThreadField, ThreadsSelection, ThreadsStore } from './threads-store.ts'

const durationMs = sql`(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000`

const columns: Record<ThreadField, Sql> = {
  thread_id: sql`thread_id`,
  turn_count: sql`count()`,
  start_time: sql`min(started_at)`,
  last_updated: sql`ifNull(max(ended_at), max(started_at))`,
  p50_turn_duration_ms: sql`quantileExactInclusiveOrNull(0.5)(${durationMs})`,
  p99_turn_duration_ms: sql`quantileExactInclusiveOrNull(0.99)(${durationMs})`,
}

const selected = sql`thread_id AS id_of_thread, toFloat64(${columns.turn_count}) AS turn_count,
  toUnixTimestamp64Micro(${columns.start_time}) AS start_us, toUnixTimestamp64Micro(${columns.last_updated}) AS updated_us,
  argMin(id, (started_at, id)) AS first_turn_id,
  if(countIf(isNotNull(ended_at)) > 0, argMaxIf(id, (assumeNotNull(ended_at), id), isNotNull(ended_at)), argMax(id, (started_at, id))) AS last_turn_id,
  ${columns.p50_turn_duration_ms} AS p50, ${columns.p99_turn_duration_ms} AS p99`

interface AnsweredThread {
  id_of_thread: string
  turn_count: number
  /** Microseconds since 1970, as the engine writes 64-bit integers. */
  start_us: string
  updated_us: string
  first_turn_id: string
  last_turn_id: string
  /** Milliseconds. Null where no turn has ended. */
  p50: number | null
  p99: number | null
}

interface Turns {
  projectId: string
  visibility: Visibility
  /** On columns that rows of calls and of traces have. */
  conditions: readonly Sql[]
  /** Few calls meet the conditions: these are found first, so that the latest versions are read of them alone. Of many, that takes three times as long. */
  areFew: boolean
}

/** The turns of a project under some conditions: calls marked as turns, and traces that name a thread without such a call. */
export function turnsSql({ projectId, visibility, conditions, areFew }: Turns): Sql {
  const ofCalls = [sql`turn_id = id`, ...conditions]
  const found = sql`SELECT started_at, id FROM heddle.calls WHERE project_id = ${bind('String', projectId)} AND ${join(ofCalls, sql` AND `)}`
  const among = areFew ? [sql`(started_at, id) IN (${found})`] : []
  const turns = join([...seen(projectId, visibility), ...among, ...ofCalls], sql` AND `)
  const traces = join([...derivedOf({ projectId, visibility, callId: sql`root_id` }), sql`is_turn = 1`, ...conditions], sql` AND `)
  return sql`SELECT assumeNotNull(thread_id) AS thread_id, started_at, ended_at, id, trace_id FROM heddle.calls FINAL WHERE ${turns}
    UNION ALL SELECT thread_id, started_at, ended_at, root_id AS id, trace_id FROM heddle.traces FINAL WHERE ${traces}`
}

export function sqlThreadsStore(analytical: ScopedAnalytical, visibility: ProjectVisibility): ThreadsStore {
  return {
    async *select(project, selection) {
      const visible = await visibility.of(project)
      const conditions = conditionsOf(project, selection, visible.hidden)
      const turns = turnsSql({ projectId: project.id, visibility: visible, conditions, areFew: selection.thread_ids !== null })
      const statement = sql`SELECT ${selected} FROM (${turns}) GROUP BY thread_id ORDER BY ${orderOf(selection)}${pageClause(selection)}`
      for await (const block of analytical.of(project).blocks<AnsweredThread>(statement)) yield block.map(toThread)
    },
  }
}

function conditionsOf(
  project: ProjectScope,
  { after, before, thread_ids, feedback, without_feedback }: ThreadsSelection,
  hidden: HiddenRecords,
): Sql[] {
  const named = thread_ids === null ? sql`thread_id != ''` : sql`thread_id IN ${bind('Array(String)', thread_ids)}`
  return [
    named,
    ...(after === null ? [] : [sql`started_at > fromUnixTimestamp64Micro(${bind('Int64', after)})`]),
    ...(before === null ? [] : [sql`started_at < fromUnixTimestamp64Micro(${bind('Int64', before)})`]),
    ...(feedback === null ? [] : [sql`thread_id IN (${threadsWith(project, feedback, hidden)})`]),
    ...(without_feedback === null ? [] : [sql`thread_id NOT IN (${threadsWith(project, without_feedback, hidden)})`]),
  ]
}

/** Ids of the threads that have feedback which matches a query. */
function threadsWith(project: ProjectScope, query: NonNullable<ThreadsSelection['feedback']>, hidden: HiddenRecords): Sql {
  const refPrefix = conversationRefsOf({ entity: project.entity, project: project.name })
  const { matching } = compileFeedbackQuery({ project_id: project.id, hidden, query, sort_by: null, limit: null, offset: null })
  const id = sql`decodeURLComponent(extract(substring(weave_ref, ${bind('UInt64', Buffer.byteLength(refPrefix) + 1)}), '^[^/]+'))`
  return sql`SELECT ${id} ${matching} AND startsWith(weave_ref, ${bind('String', refPrefix)})`
}

function orderOf({ order }: ThreadsSelection): Sql {
  const keys = order.map(({ field, direction }) => sql`${columns[field]} ${direction === 'asc' ? sql`ASC` : sql`DESC`} NULLS LAST`)
  return join([...keys, sql`thread_id ASC`], sql`, `)
}

function toThread(row: AnsweredThread): Thread {
  return {
    thread_id: row.id_of_thread,
    turn_count: row.turn_count,
    start_time: formatTimestamp(Number(row.start_us)),
    last_updated: formatTimestamp(Number(row.updated_us)),
    first_turn_id: row.first_turn_id,
    last_turn_id: row.last_turn_id,
    p50_turn_duration_ms: row.p50,
    p99_turn_duration_ms: row.p99,
  }
}
