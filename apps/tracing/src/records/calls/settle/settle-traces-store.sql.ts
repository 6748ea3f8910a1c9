import {
  type AnsweredRow,
  bind,
  columnsExcept,
  inParts,
  invariant,
  join,
  rowDecoder,
  type DeriveTraces,
  type DerivingStore,
  mergeTouched,
  type Micros,
  rowEncoders,
  sql,
  type Sql,
  type TouchedTrace,
  type TraceRow,
  tracesTable,
  type UsageRow,
  usageTable,
} from '@heddle/datastore'
import { groupBy } from '../../../group-by.ts'
import { runInSlices, type Steps } from '@heddle/service-kit'
import { type NodeTuple, type SettledRows, settledRows, toStoredNode } from './settled-rows.ts'

/** Traces per statement when each may have any number of calls, or other servers may write at the same time. */
const maxTraces = 500
/**
 * Traces per statement when they were just written and no other server writes: a new trace then has only the calls that were just written. Trace ids
 * are scattered over the table, so looking up hundreds reads as much of it as looking up thousands, and each statement costs as much as hundreds of calls.
 */
const maxWrittenTraces = 4_000
/** No further trace joins a statement whose traces have this many known calls. */
const maxKnownCalls = 20_000
/**
 * Microseconds around the known calls of a trace in which to search for others when several servers write: another server may not have settled its own
 * calls yet. A single server knows the range of all calls.
 */
const sharedMargin = 3_600_000_000
/** Longest time range, in microseconds, of a statement over several projects: only live traces are read together. */
const sharedRange = 3_600_000_000

const traceRows = rowEncoders(tracesTable)
const usageRows = rowEncoders(usageTable)
export const wholeTrace = rowDecoder(tracesTable, columnsExcept(tracesTable, []))

interface SettleOptions {
  /** Recompute the traces whatever is stored about them. */
  isAgain?: boolean
  /** A trace with more calls than this is not settled after each write, but every `largeTraceEvery` microseconds. Default 20,000. */
  largeTrace?: number
}

/** Identifies a trace: other projects may use the same id. */
export type TraceKey = Pick<TouchedTrace, 'project_id' | 'trace_id'>

interface SettledTraces extends SettleOptions {
  /** At least one. */
  written: readonly TouchedTrace[]
  /** Contains the starts of all their calls. */
  range: Range
  known: KnownTraces
}

/** Stored rows of traces, by `keyOfTrace`. */
type KnownTraces = ReadonlyMap<string, KnownTrace>

/** The stored row of a trace that was settled before. */
interface KnownTrace {
  project_id: string
  trace_id: string
  from_micros: number
  until_micros: number
  calls: number
  is_behind: number
  version: string
}

export type UsageKey = Pick<UsageRow, 'project_id' | 'call_id' | 'model' | 'trace_id' | 'thread_id' | 'wb_user_id' | 'service_tier'> & {
  started_micros: number
  counted: (number | null)[]
}

const defaultLargeTrace = 20_000
const largeTraceEvery = 3_000_000

/** Settles the traces of calls that were written, from all their calls in the store, and writes their rows. Large traces are settled some seconds later. */
export function createTraceSettling(options: Pick<SettleOptions, 'largeTrace'> = {}): DeriveTraces {
  let late: TouchedTrace[] = []
  let timer: NodeJS.Timeout | undefined
  const settleTraces: DeriveTraces = async (store, touched) => {
    const traces = mergeTouched([...late, ...touched])
    late = []
    const postponed = await settleAll(store, traces, options)
    late.push(...postponed)
    if (late.length === 0 || timer !== undefined) return
    // Traces that fail here are settled along with the next write.
    timer = setTimeout(() => {
      timer = undefined
      const again = late
      void settleTraces(store, []).catch(() => void late.push(...again))
    }, largeTraceEvery / 1_000).unref()
  }
  return settleTraces
}

/**
 * Settles the traces from scratch, whatever is stored about them. Each is written as a whole.
 * @throws StoreError when the store fails; traces settled before are kept
 */
export async function settleAgain(store: DerivingStore, touched: readonly TouchedTrace[]): Promise<void> {
  await settleAll(store, touched, { isAgain: true })
}

/**
 * Returns the traces that are to be settled later. Traces of several projects share statements, since each statement costs as much as hundreds of rows.
 * If one fails, the rows of the traces settled before it are still written.
 */
async function settleAll(store: DerivingStore, touched: readonly TouchedTrace[], options: SettleOptions = {}): Promise<TouchedTrace[]> {
  const late: TouchedTrace[] = []
  const settled = newWrites(store)
  try {
    const most = store.isShared || options.isAgain === true ? maxTraces : maxWrittenTraces
    for (const group of inParts(touched.toSorted(byStart), store.isShared ? maxTraces : maxWrittenTraces)) {
      const known = await readKnown(store, group)
      const [due, postponed] = partition(
        group,
        (trace) => options.isAgain === true || !wasJustSettled(known.get(keyOfTrace(trace)), options.largeTrace),
      )
      await markBehind(
        { store, settled },
        postponed.flatMap((trace) => known.get(keyOfTrace(trace)) ?? []),
      )
      late.push(...postponed)
      for (const together of readTogether(due, known, most)) await settle({ store, settled }, { ...together, known, ...options })
    }
  } finally {
    await settled.finish()
  }
  return late
}

const byStart = (one: TouchedTrace, other: TouchedTrace) => one.from - other.from

/** Traces whose calls are read by one statement. */
interface TracesTogether {
  written: TouchedTrace[]
  /** Contains the starts of their calls. */
  range: Range
  /** Number of their calls that are known. */
  calls: number
}

/** Groups of at most `most` traces, each of one project, or of several projects if they are live. */
function readTogether(traces: readonly TouchedTrace[], known: KnownTraces, most: number): TracesTogether[] {
  const alone = (trace: TouchedTrace): TracesTogether => {
    const before = known.get(keyOfTrace(trace))
    const [from, until] = [before?.from_micros ?? trace.from, before?.until_micros ?? trace.until]
    return { written: [trace], range: around(trace, { from, until }), calls: before?.calls ?? 0 }
  }
  const fit = (one: TracesTogether, other: TracesTogether) =>
    one.written.length + other.written.length <= most && one.calls + other.calls <= maxKnownCalls
  const areLive = (one: TracesTogether, other: TracesTogether) => {
    const { from, until } = around(one.range, other.range)
    return until - from <= sharedRange
  }
  const ofProjects = [...groupBy(traces, ({ project_id }) => project_id).values()].flatMap((own) => joinNeighbours(own.map(alone), fit))
  ofProjects.sort((one, other) => one.range.from - other.range.from)
  return joinNeighbours(ofProjects, (one, other) => fit(one, other) && areLive(one, other))
}

/** Merges each group into the previous one if `may` allows it. */
function joinNeighbours(groups: readonly TracesTogether[], may: (one: TracesTogether, other: TracesTogether) => boolean): TracesTogether[] {
  const joined: TracesTogether[] = []
  for (const next of groups) {
    const last = joined.at(-1)
    if (last && may(last, next)) {
      last.written.push(...next.written)
      last.range = around(last.range, next.range)
      last.calls += next.calls
    } else joined.push(next)
  }
  return joined
}

const around = (one: Range, other: Range): Range => ({ from: Math.min(one.from, other.from), until: Math.max(one.until, other.until) })

function partition<T>(all: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] {
  const first: T[] = []
  const second: T[] = []
  for (const each of all) (isFirst(each) ? first : second).push(each)
  return [first, second]
}

async function readKnown(store: DerivingStore, traces: readonly TraceKey[]): Promise<KnownTraces> {
  return new Map((await store.rows<KnownTrace>(knownTraces(traces))).map((row) => [keyOfTrace(row), row]))
}

interface Settlement {
  store: DerivingStore
  /** Where the rows go. */
  settled: Writes
}

async function settle(
  { store, settled }: Settlement,
  { written, range: { from, until }, known, isAgain = false }: SettledTraces,
): Promise<void> {
  const margin = store.isShared ? sharedMargin : 0
  const range = { from: from - margin, until: until + margin }
  // If several servers settle a trace at the same time, the one that began to read its calls last has seen most of them, whichever writes last.
  const begun = nextMoment()
  const traces = await store.lazyRows<NodesOfTrace>(nodesOf(written, range))
  const settledBefore = isAgain ? written : written.filter((trace) => known.has(keyOfTrace(trace)))
  const before = settledBefore.length === 0 ? [] : await store.rows<UsageKey>(usageBefore(settledBefore, range))
  await runInSlices(addRows(settled, { written, known, traces, before, begun }))
  if (settled.isFull()) await settled.finish()
}

/** Marks rows as pending until they are settled. Their versions remain the times at which they were settled. */
async function markBehind({ store, settled }: Settlement, known: readonly KnownTrace[]): Promise<void> {
  const ahead = known.filter(({ is_behind }) => is_behind === 0)
  if (ahead.length === 0) return
  const rows = await store.rows<AnsweredRow>(sql`SELECT ${wholeTrace.select} FROM heddle.traces FINAL ${amongTraces(ahead)}`)
  for (const row of rows.map(wholeTrace.decode)) settled.trace({ ...row, is_behind: 1, version: row.version + 1n })
}

function wasJustSettled(known: KnownTrace | undefined, largeTrace = defaultLargeTrace): boolean {
  return known !== undefined && known.calls > largeTrace && Date.now() * 1_000 - Number(known.version) < largeTraceEvery
}

interface Range {
  from: Micros
  until: Micros
}

interface Settling {
  written: readonly TraceKey[]
  known: KnownTraces
  traces: Iterable<NodesOfTrace>
  before: readonly UsageKey[]
  /** Microseconds at which the calls began to be read. */
  begun: bigint
}

/** Adds the rows of all traces, including ends of those that are no longer valid. Unchanged usage is not written again. */
function* addRows(settled: Writes, { written, known, traces, before, begun }: Settling): Steps<void> {
  const stored = new Map(before.map((row) => [keyOfUsage(row, row.started_micros), row]))
  const isStored = (row: SettledRows['usage'][number]) => {
    // Traces are mostly new.
    if (stored.size === 0) return false
    const key = keyOfUsage(row, row.started_at)
    const same = stored.get(key)
    stored.delete(key)
    return same !== undefined && isSame(same, row)
  }
  const withoutCalls = new Set(written.map(keyOfTrace))
  for (const { project_id, trace_id, nodes } of traces) {
    const key = keyOfTrace({ project_id, trace_id })
    invariant(withoutCalls.delete(key), 'traces.calls-are-of-their-trace', () => `trace ${trace_id} of ${project_id}`)
    const rows = settledRows({ project_id, trace_id }, nodes.map(toStoredNode))
    invariant(rows !== undefined, 'traces.have-calls', () => `trace ${trace_id} of ${project_id}`)
    const version = versionAfter(known.get(key), begun)
    // The rows are new: a copy of their many members would take a quarter of all settling.
    settled.trace(Object.assign(rows.trace, { is_behind: 0, version, is_deleted: 0 }))
    for (const row of rows.usage) if (!isStored(row)) settled.usage(Object.assign(row, { version, is_deleted: 0 }))
    yield
  }
  for (const key of withoutCalls) {
    const own = known.get(key)
    if (own !== undefined) settled.trace({ ...emptyTrace(own), is_behind: 0, version: versionAfter(own, begun), is_deleted: 1 })
  }
  for (const row of stored.values())
    settled.usage({ ...emptyUsage(row), version: versionAfter(known.get(keyOfTrace(row)), begun), is_deleted: 1 })
}

const keyOfTrace = ({ project_id, trace_id }: TraceKey) => `${project_id}\0${trace_id}`

const keyOfUsage = ({ project_id, trace_id, call_id, model }: TraceKey & Pick<UsageRow, 'call_id' | 'model'>, started: Micros) =>
  JSON.stringify([project_id, trace_id, started, call_id, model])

let lastMoment = 0n

/** The current time in microseconds, strictly increasing within this process although the clock ticks in milliseconds. */
function nextMoment(): bigint {
  const now = BigInt(Date.now()) * 1_000n
  lastMoment = now > lastMoment ? now : lastMoment + 1n
  return lastMoment
}

/** Versions of a trace increase even when the clock goes back. */
function versionAfter(known: KnownTrace | undefined, begun: bigint): bigint {
  const after = known === undefined ? 0n : BigInt(known.version) + 1n
  return begun > after ? begun : after
}

const countNames = [
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'total_tokens',
  'reported_costs',
  'reported_nanos',
  'cache_read_audio_tokens',
  'cache_read_image_tokens',
  'cache_write_1h_tokens',
  'input_audio_tokens',
  'input_image_tokens',
  'output_audio_tokens',
  'output_image_tokens',
  'request_tokens',
] as const satisfies readonly (keyof UsageRow)[]

/** Thread, user and tier are compared too, as texts next to the counts. A count that is not stored differs from 0: the row must be written again. */
export function isSame({ counted, ...stored }: UsageKey, row: SettledRows['usage'][number]): boolean {
  return (
    stored.thread_id === row.thread_id &&
    stored.wb_user_id === row.wb_user_id &&
    stored.service_tier === row.service_tier &&
    countNames.every((name, at) => row[name] === counted[at])
  )
}

/** Encoded rows, buffered to be written in few inserts. */
interface Writes {
  trace(row: TraceRow): void
  usage(row: UsageRow): void
  isFull(): boolean
  /** Writes the buffered rows. */
  finish(): Promise<void>
}

/** Rows after which the buffer is written: about 4 MB. */
const maxWaitingRows = 20_000

function newWrites(store: DerivingStore): Writes {
  const traces = traceRows()
  const usage = usageRows()
  return {
    trace: (row) => traces.add(row),
    usage: (row) => usage.add(row),
    isFull: () => traces.rows + usage.rows >= maxWaitingRows,
    async finish() {
      const [usageBlock, tracesBlock] = [usage.finish(), traces.finish()]
      if (usageBlock.rows > 0) await store.insert(usageTable, usageBlock)
      if (tracesBlock.rows > 0) await store.insert(tracesTable, tracesBlock)
    },
  }
}

const micros = (column: Sql) => sql`toFloat64(toUnixTimestamp64Micro(${column}))`

function knownTraces(traces: readonly TraceKey[]): Sql {
  return sql`SELECT project_id, trace_id, ${micros(sql`started_at`)} AS from_micros, ${micros(sql`last_start_at`)} AS until_micros, toFloat64(calls) AS calls, is_behind, toString(version) AS version
    FROM heddle.traces FINAL ${amongTraces(traces)}`
}

/**
 * PREWHERE filters rows before FINAL merges their versions, which is safe since both columns are in the sorting key. Otherwise whole granules would be
 * read and merged for each id, although most ids belong to new traces, which have no row.
 */
function amongTraces(traces: readonly TraceKey[]): Sql {
  return sql`PREWHERE ${isOf(traces)}`
}

/** Traces of a single project are matched by id alone, at half the cost of matching pairs. */
function isOf(traces: readonly TraceKey[]): Sql {
  const projects = projectsOf(traces)
  const ids = traces.map(({ trace_id }) => trace_id)
  const [only = ''] = projects
  if (projects.length === 1) return sql`project_id = ${bind('String', only)} AND trace_id IN ${bind('Array(String)', ids)}`
  return sql`(project_id, trace_id) IN ${bind(
    'Array(Tuple(String, String))',
    traces.map(({ project_id, trace_id }) => [project_id, trace_id]),
  )}`
}

/** Rows of traces in a table sorted by project and start. Each column has its own condition, since the primary index ignores conditions on tuples. */
function ofTraces(traces: readonly TraceKey[], { from, until }: Range): Sql {
  const time = (at: Micros) => sql`fromUnixTimestamp64Micro(${bind('Int64', Math.floor(at))})`
  const start = sql`started_at >= ${time(from)} AND started_at <= ${time(until)}`
  const projects = projectsOf(traces)
  if (projects.length === 1) return sql`${start} AND ${isOf(traces)}`
  const ids = traces.map(({ trace_id }) => trace_id)
  return sql`${start} AND project_id IN ${bind('Array(String)', projects)} AND trace_id IN ${bind('Array(String)', ids)} AND ${isOf(traces)}`
}

const projectsOf = (traces: readonly TraceKey[]) => [...new Set(traces.map(({ project_id }) => project_id))]

/** All calls of a trace, in any order; at least one. */
export interface NodesOfTrace extends TraceKey {
  nodes: NodeTuple[]
}

/** Calls of traces that start in a range, as they are settled: a row for each trace that has some. */
export function nodesOf(traces: readonly TraceKey[], range: Range): Sql {
  const node = sql`tuple(id, parent_id, ${micros(sql`started_at`)}, ${micros(sql`ended_at`)}, toString(status), thread_id, turn_id, toString(op_name),
      toString(wb_user_id), toString(kind_words), toString(span_scope), toString(service_tier), response_id,
      if(notEmpty(usage.model), JSONExtractRaw(summary, 'usage'), ''), ${micros(sql`expire_at`)})`
  return sql`SELECT project_id, trace_id, groupArray(${node}) AS nodes FROM heddle.calls FINAL WHERE ${ofTraces(traces, range)}
      AND has_start = 1 AND (project_id, id) NOT IN (SELECT project_id, call_id FROM heddle.deleted_calls WHERE ${isOf(traces)})
      AND (expire_at = fromUnixTimestamp64Micro(toInt64(0)) OR expire_at > now64(6))
    GROUP BY project_id, trace_id`
}

export function usageBefore(traces: readonly TraceKey[], range: Range): Sql {
  return sql`SELECT call_id, project_id, toString(model) AS model, trace_id, thread_id, toString(wb_user_id) AS wb_user_id, toString(service_tier) AS service_tier,
      ${micros(sql`started_at`)} AS started_micros, [${join(countNames.map(toCount), sql`, `)}] AS counted
    FROM heddle.usage FINAL WHERE ${ofTraces(traces, range)}`
}

const toCount = (name: (typeof countNames)[number]) => sql`toFloat64(${bind('Identifier', name)})`

function emptyTrace({ project_id, trace_id, from_micros, until_micros }: KnownTrace): SettledRows['trace'] {
  return {
    project_id,
    trace_id,
    started_at: from_micros,
    last_start_at: until_micros,
    ended_at: null,
    root_id: '',
    is_parent_missing: 0,
    thread_id: '',
    is_turn: 0,
    status: '',
    calls: 0,
    errors: 0,
    orphans: [],
    failed_above: [],
    models: [],
    uses: [],
    input_tokens: [],
    output_tokens: [],
    cache_read_tokens: [],
    cache_write_tokens: [],
    total_tokens: [],
    reported_costs: [],
    reported_nanos: [],
    notes: '',
    expire_at: 0,
    next_expiry_at: 0,
  }
}

function emptyUsage({ project_id, started_micros, call_id, model, trace_id }: UsageKey): SettledRows['usage'][number] {
  const none = Object.fromEntries(countNames.map((name) => [name, 0])) as Record<(typeof countNames)[number], number>
  return {
    project_id,
    started_at: started_micros,
    call_id,
    model,
    trace_id,
    thread_id: '',
    op_name: '',
    wb_user_id: '',
    service_tier: '',
    ...none,
    expire_at: 0,
  }
}
