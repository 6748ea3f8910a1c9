import type { CallsFilter, QueryExpression, SortBy } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import { bind, join, sql, type Micros, type Sql } from '@heddle/datastore'
import { createCallReader, nameOf, type CallReader } from './fields/call-reader.ts'
import { compileExpression } from './compile/compile-expression.ts'
import { compileFilter } from './compile/compile-filter.ts'
import { compileSort } from './compile/compile-sort.ts'
import type { QueueCalls } from './fields/queue-membership.ts'
import { epoch } from './fields/read-column.ts'
import { gapsOfPath, hasGap, type PayloadPath } from './fields/read-payload.ts'
import { tablePlaces } from './fields/reference-parts.ts'
import { writtenConditions } from './compile/written-conditions.ts'

/** Times of starts, both ends included. */
export interface StartRange {
  from?: Micros
  until?: Micros
}

export interface CallsQueryInput {
  /** `entity/project` of an opened project. */
  project_id: string
  /** Calls that expired before this time are not seen. */
  now: Micros
  filter?: Partial<CallsFilter> | null | undefined
  query?: QueryExpression | null | undefined
  sort_by?: readonly SortBy[] | null | undefined
  limit?: number | null | undefined
  offset?: number | null | undefined
  expand_columns?: readonly string[] | null | undefined
  /** Only calls that started in it are looked at. */
  started?: StartRange | undefined
  /** Deleted versions of the project, as `object/name:digest` or `op/name:digest`: paths through refs to them read NULL. */
  deletedVersions?: readonly string[] | undefined
  /** Digests of the tables to which the answer to `tablePlaces` leads: refs to rows behind other places read NULL. */
  tables?: ReadonlyMap<string, string> | undefined
  /** The calls of the annotation queues that the answer to `queues` names; of other queues no call is an item. */
  queueCalls?: QueueCalls | undefined
}

/** Row of the answer to `tablePlaces`: what stands before `/id/` in refs to rows, after the project. */
export interface TablePlaceRow {
  table_place: string
}

/** Row of the answer to `probe`: for each path, 1 when the index of some row cannot tell its value. */
export interface ProbeRow {
  gaps: number[]
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

export interface CompiledCallsQuery {
  /**
   * Asks first whether the index answers for all rows; its one row goes into the functions below. Undefined when nothing is asked of the index.
   * Without its row the answers are the same and slower. A row that says of a path that it has a gap is never wrong.
   */
  probe: Sql | undefined
  /** For each path that is asked of the index, in the order of the probe: the listed gaps, between bars, of which any one is a gap there. */
  gapEntries: readonly (readonly string[])[]
  /** Rows of `TablePlaceRow`, at most `limit`, for `tables`; undefined when no ref to a row is read through. */
  tablePlaces(limit: number): Sql | undefined
  /** Ids of the annotation queues that the query names, for `queueCalls`. */
  queues: readonly string[]
  /** Rows of `CallKey`, in order, cut to limit and offset. */
  keys(probed?: ProbeRow): Sql
  /** One row `{ count }`: matching calls, at most `limit`. */
  count(probed?: ProbeRow): Sql
  /** One row `{ bytes }`: storage of all live calls in the traces of the matching roots. */
  storage(probed?: ProbeRow): Sql
}

/**
 * Compiles a query of calls. All of it is checked here, so the functions of the answer do not fail.
 * @throws 400 and 422 as the query language has them, and 400 for a negative or fractional limit or offset.
 */
export function compileCallsQuery(input: CallsQueryInput): CompiledCallsQuery {
  const conditions = compileFilter({ filter: input.filter ?? {}, projectId: input.project_id })
  const careful = compileParts(input, () => true)
  const paths = careful.reader.indexedPaths()
  const partsFor = (probed: ProbeRow | undefined): Parts => {
    if (probed === undefined) return careful
    const withGap = new Set(paths.filter((_, index) => probed.gaps[index] !== 0).map(nameOf))
    return compileParts(input, (path) => withGap.has(nameOf(path)))
  }
  const matching = (parts: Parts) =>
    sql`FROM heddle.calls FINAL${join(parts.reader.joins(), sql``)} WHERE ${join([...seen(input), ...startedIn(input.started), ...conditions, ...parts.conditions], sql` AND `)}`
  const page = limits(input.limit, input.offset)
  return {
    probe: paths.length === 0 ? undefined : probeGaps(input, paths),
    gapEntries: paths.map(gapsOfPath),
    tablePlaces(limit) {
      const refs = careful.reader.refsToRows()
      return refs && tablePlaces(input.project_id, refs, limit)
    },
    queues: careful.reader.queues(),
    keys(probed) {
      const parts = partsFor(probed)
      return sql`${parts.reader.definitions()}SELECT toFloat64(toUnixTimestamp64Micro(started_at)) AS started_micros, id, version, toFloat64(storage_size_bytes) AS bytes ${matching(parts)} ORDER BY ${parts.order}${page}`
    },
    count(probed) {
      const parts = partsFor(probed)
      return sql`SELECT toFloat64(count()) AS count FROM (${parts.reader.definitions()}SELECT 1 ${matching(parts)}${limits(input.limit, null)})`
    },
    storage(probed) {
      const parts = partsFor(probed)
      const traces = sql`${parts.reader.definitions()}SELECT trace_id ${matching(parts)} AND parent_id = ''`
      return sql`SELECT toFloat64(sum(storage_size_bytes)) AS bytes FROM heddle.calls FINAL WHERE ${join(seen(input), sql` AND `)} AND trace_id IN (${traces})`
    },
  }
}

/** The conditions under which a reader sees a call of the project at all. */
export function seen({ project_id, now }: { project_id: string; now: Micros }): Sql[] {
  return [
    sql`project_id = ${bind('String', project_id)}`,
    sql`has_start = 1`,
    sql`(expire_at = ${epoch} OR expire_at > fromUnixTimestamp64Micro(${bind('Int64', now)}))`,
  ]
}

interface Parts {
  reader: CallReader
  conditions: Sql[]
  order: Sql
}

function compileParts(input: CallsQueryInput, mayHaveGap: (path: PayloadPath) => boolean): Parts {
  const reader = createCallReader({
    references: { projectId: input.project_id, deletedVersions: input.deletedVersions ?? [], tables: input.tables ?? new Map() },
    expandColumns: input.expand_columns ?? [],
    mayHaveGap,
    queueCalls: input.queueCalls ?? new Map(),
  })
  const condition = input.query
    ? [compileExpression(input.query, reader.read), ...amongWritten(input, writtenConditions(input.query, reader.read))]
    : []
  const order = compileSort(input.sort_by, reader.read)
  return { reader, conditions: [...condition, ...reader.guards()], order }
}

/**
 * Looks among all versions first for those in which what is asked for may be written: the engine then reads one column and skips what an index of
 * words rules out, while it would read all that the query names, and of the neighbours of each call, to find the latest versions.
 */
function amongWritten({ project_id, started }: CallsQueryInput, written: readonly Sql[]): Sql[] {
  if (written.length === 0) return []
  const conditions = [sql`project_id = ${bind('String', project_id)}`, ...startedIn(started), ...written]
  return [sql`(started_at, id) IN (SELECT started_at, id FROM heddle.calls WHERE ${join(conditions, sql` AND `)})`]
}

function startedIn({ from, until }: StartRange = {}): Sql[] {
  const bound = (time: Micros) => sql`fromUnixTimestamp64Micro(${bind('Int64', Math.floor(time))})`
  return [
    ...(from === undefined ? [] : [sql`started_at >= ${bound(from)}`]),
    ...(until === undefined ? [] : [sql`started_at <= ${bound(until)}`]),
  ]
}

function probeGaps({ project_id, started }: CallsQueryInput, paths: readonly PayloadPath[]): Sql {
  const gaps = paths.map((path) => sql`toUInt8(max(${hasGap(path)}))`)
  // All versions of rows: a version that is replaced can only make the answer more careful.
  const rows = join([sql`project_id = ${bind('String', project_id)}`, ...startedIn(started)], sql` AND `)
  return sql`SELECT [${join(gaps, sql`, `)}] AS gaps FROM heddle.calls WHERE ${rows}`
}

function limits(limit: number | null | undefined, offset: number | null | undefined): Sql {
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
