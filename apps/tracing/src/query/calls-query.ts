import type { CallsFilter, QueryExpression, SortBy } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import { bind, join, sql, type Micros, type Sql } from '@heddle/datastore'
import type { CallStatus } from '@heddle/trace-model'
import { createCallReader, type StatementContext } from './fields/read/call-reader.ts'
import { compileExpression } from './compile/compile-expression.ts'
import { compileFilter, isOfTraces } from './compile/compile-filter.ts'
import { compileSort } from './compile-sort.ts'
import type { QueueCalls } from './fields/queue-membership.ts'
import type { Operand } from './compile/operands/operand.ts'
import { epoch } from './fields/read/read-column.ts'
import { isUnindexed, nameOf, unindexedEntriesOf, type PayloadPath } from './fields/read/read-payload.ts'
import { tablePlaces } from './fields/reference-parts.ts'
import { writtenConditions } from './compile/written-conditions.ts'
import { type HiddenRecords, nothingHidden, notHidden, type Visibility } from './visible-records.ts'

/** A range of start times, both ends inclusive. */
export interface StartRange {
  from?: Micros
  until?: Micros
}

export interface CallsQueryInput {
  /** `entity/project` of an opened project. */
  project_id: string
  filter?: Partial<CallsFilter> | null | undefined
  /** Whether status and thread are those of traces. Absent: where the filter takes roots alone. */
  ofTraces?: boolean | undefined
  query?: QueryExpression | null | undefined
  sort_by?: readonly SortBy[] | null | undefined
  limit?: number | null | undefined
  offset?: number | null | undefined
  expand_columns?: readonly string[] | null | undefined
  /** Paths of which `nodes` reads the texts. */
  texts?: readonly string[] | undefined
}

/** The context of a query's statement apart from the query. */
export interface StatementInput {
  /** Calls that expired before this time are not visible. */
  now: Micros
  /** What deletions hide. Absent: nothing. */
  hidden?: HiddenRecords | undefined
  /** Only calls that started in this range are considered. */
  started?: StartRange | undefined
  /** Answer to the probe of the same range. Absent: every path counts as unindexed, which gives the same answers and is slower. */
  probed?: ProbeRow | undefined
  /** Deleted versions of the project, as `object/name:digest` or `op/name:digest`: paths through refs to them read NULL. */
  deletedVersions?: readonly string[] | undefined
  /** Digests of the tables that the answer to `tablePlaces` leads to: refs to rows of other tables read NULL. */
  tables?: ReadonlyMap<string, string> | undefined
  /** The calls of the annotation queues that the answer to `queues` names; of other queues no call is an item. */
  queueCalls?: QueueCalls | undefined
}

/** Versions of calls that were written after one version, up to another. */
export interface WrittenRange {
  /** Exclusive. */
  after: bigint
  /** Inclusive. */
  until: bigint
  /** Only calls that ended then or later. */
  endedFrom: Micros
}

/** Row of the answer to `writtenStarts`: the first and the last start, in microseconds. */
export interface WrittenStarts {
  versions: number
  first: number
  last: number
}

/** Which of the selected calls a statement answers. */
export interface CallsPage {
  limit: number | null | undefined
  offset: number | null | undefined
}

/** Row of the answer to `tablePlaces`: the part before `/id/` in refs to rows, after the project. */
export interface TablePlaceRow {
  table_place: string
}

/** Row of the answer to `probe`: for each path, 1 if the index of some row lacks its value. */
export interface ProbeRow {
  unindexed: number[]
}

/** Key of a call and the version that matched. */
export interface CallKey {
  /** Start, in microseconds. */
  started_micros: number
  id: string
  /** 64-bit integer as text. */
  version: string
  /** Bytes of the payloads. */
  bytes: number
}

/** A call as a node of its trace. */
export interface CallNode {
  id: string
  /** `''` for a root. */
  parent_id: string
  op_name: string
  display_name: string | null
  /** Its own, with errors that its client counted below it. */
  status: CallStatus
  /** In microseconds. */
  started_micros: number
  ended_micros: number | null
  thread_id: string | null
  /** The lines of the column of the same name. */
  kind_words: string
  /** As the column of the same name. */
  span_scope: string
  /** As the column of the same name. */
  response_id: string
  /** 1 for a call that reports usage. */
  has_usage: number
  /** The value at each of the requested paths, in their order; `''` if there is none. */
  texts: string[]
}

/** A compiled query. Its statements vary only in the time range, the unindexed paths, the targets of refs and the calls of queues. */
export interface CompiledCallsQuery {
  /**
   * Checks whether the index answers for all rows of a range. Undefined if the index is not used. A row that reports a path as unindexed is never
   * wrong.
   */
  probe(started?: StartRange): Sql | undefined
  /** For each path read from the index, in the order of the probe: the entries of `idx_gaps`, any of which means that it is unindexed. */
  unindexedEntries: readonly (readonly string[])[]
  /** Rows of `TablePlaceRow`, at most `limit`, for `tables`; undefined when no ref to a row is read through. */
  tablePlaces(limit: number): Sql | undefined
  /** Ids of the annotation queues that the query names, for `queueCalls`. */
  queues: readonly string[]
  /** Rows of `CallKey`, in order, cut to the page; without one to limit and offset of the query. */
  keys(statement: StatementInput, page?: CallsPage): Sql
  /**
   * Rows of `CallKey`, in the order of their latest versions, of ended calls whose latest version was written in a range. At most `limit`, and beyond it
   * those with the same version as the last.
   */
  written(statement: StatementInput, range: WrittenRange & { limit: number }): Sql
  /** One row of `WrittenStarts`: the range of starts of the calls whose versions are in a range. */
  writtenStarts(started: StartRange, range: WrittenRange): Sql
  /** Rows of `CallNode`, in order, cut to limit and offset of the query. */
  nodes(statement: StatementInput): Sql
  /** Rows of start and id of all matching calls, without order, whatever the limit: for a condition of another statement. */
  places(statement: StatementInput): Sql
  /** One row `{ count }`: matching calls, at most `limit`. */
  count(statement: StatementInput): Sql
  /** One row `{ bytes }`: storage of all live calls in the traces of the matching roots. */
  storage(statement: StatementInput): Sql
}

/**
 * Compiles a query of calls. All of it is checked here; its statements fail only where one of them would be too long.
 * @throws 400 and 422 as the query language has them, and 400 for a negative or fractional limit or offset.
 */
export function compileCallsQuery(input: CallsQueryInput): CompiledCallsQuery {
  const { project_id, ofTraces = isOfTraces(input.filter) } = input
  const reader = createCallReader({ projectId: project_id, ofTraces, expandColumns: input.expand_columns ?? [] })
  const filter = compileFilter({ filter: input.filter ?? {}, ofTraces, projectId: project_id })
  const query = input.query ? [compileExpression(input.query, reader.read)] : []
  const written = input.query ? writtenConditions(input.query, reader.read) : []
  const order = compileSort(input.sort_by, reader.read)
  const texts = (input.texts ?? []).map((path) => textOf(reader.read(path), path))
  const paths = reader.indexedPaths()
  const wholePage = limits(input)

  const keyColumns = sql`toFloat64(toUnixTimestamp64Micro(started_at)) AS started_micros, id, version, toFloat64(storage_size_bytes) AS bytes`

  const nodeColumns = sql`id, parent_id, toString(op_name) AS op_name, display_name, toString(status) AS status, toFloat64(toUnixTimestamp64Micro(started_at)) AS started_micros,
    toFloat64(toUnixTimestamp64Micro(ended_at)) AS ended_micros, thread_id, toString(kind_words) AS kind_words, toString(span_scope) AS span_scope, response_id,
    toUInt8(notEmpty(usage.model)) AS has_usage`

  const matching = (statement: StatementInput) => {
    const { definitions, joins, guards } = reader.frame(contextOf(project_id, paths, statement))
    const conditions = [
      ...seen(project_id, visibilityOf(statement)),
      ...startedIn(statement.started),
      ...filter,
      // First, so that the query parses payloads of these few calls alone.
      ...amongWritten({ project_id, started: statement.started, written }),
      ...query,
      ...guards,
    ]
    return { definitions, rows: sql`FROM heddle.calls FINAL${joins} WHERE ${join(conditions, sql` AND `)}` }
  }

  return {
    probe: (started) => (paths.length === 0 ? undefined : probePaths({ project_id, started, paths })),
    unindexedEntries: paths.map(unindexedEntriesOf),
    tablePlaces(limit) {
      const refs = reader.refsToRows(contextOf(project_id, paths, {}))
      return refs && tablePlaces(project_id, refs, limit)
    },
    queues: reader.queues(),
    keys(statement, page) {
      const { definitions, rows } = matching(statement)
      return sql`${definitions}SELECT ${keyColumns} ${rows} ORDER BY ${order}${page ? limits(page) : wholePage}`
    },
    written(statement, { endedFrom, limit, ...range }) {
      const { definitions, rows } = matching(statement)
      const inRange = versionIn(range)
      const place = join([sql`project_id = ${bind('String', project_id)}`, ...startedIn(statement.started)], sql` AND `)
      // Keys of the few new versions first, from two columns: the calls before them are then not read.
      const keys = sql`SELECT started_at, id FROM heddle.calls WHERE ${place} AND ${inRange}`
      const ended = sql`ended_at >= fromUnixTimestamp64Micro(${bind('Int64', Math.floor(endedFrom))})`
      return sql`${definitions}SELECT ${keyColumns} ${rows} AND (started_at, id) IN (${keys}) AND ${inRange} AND ${ended} ORDER BY heddle.calls.version LIMIT ${bind('UInt64', limit)} WITH TIES`
    },
    writtenStarts(started, range) {
      const micros = (start: Sql) => sql`toFloat64(toUnixTimestamp64Micro(${start}))`
      const rows = join([sql`project_id = ${bind('String', project_id)}`, ...startedIn(started), versionIn(range)], sql` AND `)
      return sql`SELECT toFloat64(count()) AS versions, ${micros(sql`min(started_at)`)} AS first, ${micros(sql`max(started_at)`)} AS last FROM heddle.calls WHERE ${rows}`
    },
    nodes(statement) {
      const { definitions, rows } = matching(statement)
      return sql`${definitions}SELECT ${nodeColumns}, array(${join(texts, sql`, `)}) AS texts ${rows} ORDER BY ${order}${wholePage}`
    },
    places(statement) {
      const { definitions, rows } = matching(statement)
      return sql`${definitions}SELECT started_at, id ${rows}`
    },
    count(statement) {
      const { definitions, rows } = matching(statement)
      return sql`SELECT toFloat64(count()) AS count FROM (${definitions}SELECT 1 ${rows}${limits({ limit: input.limit })})`
    },
    storage(statement) {
      const { definitions, rows } = matching(statement)
      const traces = sql`${definitions}SELECT trace_id ${rows} AND parent_id = ''`
      const live = join(seen(project_id, visibilityOf(statement)), sql` AND `)
      return sql`SELECT toFloat64(sum(storage_size_bytes)) AS bytes FROM heddle.calls FINAL WHERE ${live} AND trace_id IN (${traces})`
    },
  }
}

/** @throws 400 for a field that is not a single value */
function textOf(operand: Operand, path: string): Sql {
  if (operand.kind !== 'value') throw badRequest(`${path} has no text: name a path of a payload, such as attributes.kind`)
  return operand.sql
}

/** `paths` are those of the probe, in its order. */
function contextOf(
  projectId: string,
  paths: readonly PayloadPath[],
  { probed, deletedVersions = [], tables = new Map(), queueCalls = new Map(), hidden = nothingHidden }: Partial<StatementInput>,
): StatementContext {
  const indexed = new Set(probed ? paths.filter((_, index) => probed.unindexed[index] === 0).map(nameOf) : [])
  return { references: { projectId, deletedVersions, tables }, mayBeUnindexed: (path) => !indexed.has(nameOf(path)), queueCalls, hidden }
}

/** The conditions under which a call of the project is visible. */
export function seen(projectId: string, { now, hidden }: Visibility): Sql[] {
  return [sql`project_id = ${bind('String', projectId)}`, ...alive(now), ...notHidden(projectId, hidden)]
}

/** The conditions of `seen` that are the same in each project. */
export function alive(now: Micros): Sql[] {
  return [sql`has_start = 1`, sql`(expire_at = ${epoch} OR expire_at > fromUnixTimestamp64Micro(${bind('Int64', now)}))`]
}

/** Versions of calls of a project that started in a range; absent: in all of time. */
interface ProjectRange {
  project_id: string
  started: StartRange | undefined
}

/**
 * First searches all versions for those whose text may contain the searched words. This reads a single column and skips granules that the index of words
 * rules out; finding the latest versions first would read all queried columns, including those of neighbouring calls.
 */
function amongWritten({ project_id, started, written }: ProjectRange & { written: readonly Sql[] }): Sql[] {
  if (written.length === 0) return []
  const conditions = [sql`project_id = ${bind('String', project_id)}`, ...startedIn(started), ...written]
  return [sql`(started_at, id) IN (SELECT started_at, id FROM heddle.calls WHERE ${join(conditions, sql` AND `)})`]
}

function visibilityOf({ now, hidden = nothingHidden }: Pick<StatementInput, 'now' | 'hidden'>): Visibility {
  return { now, hidden }
}

function startedIn({ from, until }: StartRange = {}): Sql[] {
  const bound = (time: Micros) => sql`fromUnixTimestamp64Micro(${bind('Int64', Math.floor(time))})`
  return [
    ...(from === undefined ? [] : [sql`started_at >= ${bound(from)}`]),
    ...(until === undefined ? [] : [sql`started_at <= ${bound(until)}`]),
  ]
}

function versionIn({ after, until }: Pick<WrittenRange, 'after' | 'until'>): Sql {
  return sql`version > ${bind('UInt64', after)} AND version <= ${bind('UInt64', until)}`
}

function probePaths({ project_id, started, paths }: ProjectRange & { paths: readonly PayloadPath[] }): Sql {
  const unindexed = paths.map((path) => sql`toUInt8(max(${isUnindexed(path)}))`)
  // All versions of rows: a version that is replaced can only make the answer more careful.
  const rows = join([sql`project_id = ${bind('String', project_id)}`, ...startedIn(started)], sql` AND `)
  return sql`SELECT [${join(unindexed, sql`, `)}] AS unindexed FROM heddle.calls WHERE ${rows}`
}

function limits({ limit, offset }: Partial<CallsPage>): Sql {
  const count = limit ?? undefined
  const skipped = offset ?? 0
  if (count !== undefined) checkCount('limit', count)
  checkCount('offset', skipped)
  if (count === undefined && skipped === 0) return sql``
  return sql` LIMIT ${bind('UInt64', count ?? Number.MAX_SAFE_INTEGER)} OFFSET ${bind('UInt64', skipped)}`
}

function checkCount(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return
  throw badRequest(`${name} must be a non-negative integer, got ${value}`)
}
