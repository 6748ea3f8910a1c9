import {
  type AnsweredRow,
  bind,
  columnsExcept,
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
import { type SettledRows, settledRows, type StoredNode } from './settled-rows.ts'

/** Traces whose calls are read by one statement. */
const maxTraces = 500
/**
 * Traces whose stored rows are read by one statement, if no other server writes: their ids lie anywhere in the table, so a few hundred read as much of
 * it as thousands. Rows that others may write meanwhile are read just before the calls.
 */
const maxKnownTraces = 4_000
/**
 * How far around the known calls of a trace to search for others if several servers write: a server that writes at the same moment may not have
 * settled its own calls yet. A server that writes alone knows the range of all.
 */
const sharedMargin = 3_600_000_000

const traceRows = rowEncoders(tracesTable)
const usageRows = rowEncoders(usageTable)
export const wholeTrace = rowDecoder(tracesTable, columnsExcept(tracesTable, []))

interface SettleOptions {
  /** Nothing that is stored of the traces is trusted. */
  isAgain?: boolean
}

interface SettledTraces extends SettleOptions {
  /** Of one project. */
  written: readonly TouchedTrace[]
  /** Those of them that are stored. */
  known: ReadonlyMap<string, KnownTrace>
}

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

export type UsageKey = Pick<UsageRow, 'call_id' | 'model' | 'trace_id' | 'thread_id' | 'wb_user_id' | 'service_tier'> & {
  started_micros: number
  counted: (number | null)[]
}

/** Calls beyond which a trace is not settled after each write, and microseconds between two times. */
const largeTrace = 20_000
const largeTraceEvery = 3_000_000

/** Settles the traces of calls that were written, from all their calls in the store, and writes their rows. Large traces are settled some seconds later. */
export function createTraceSettling(): DeriveTraces {
  let late: TouchedTrace[] = []
  let timer: NodeJS.Timeout | undefined
  const settleTraces: DeriveTraces = async (store, touched) => {
    const traces = mergeTouched([...late, ...touched])
    late = []
    const postponed = await settleAll(store, traces)
    late.push(...postponed)
    if (late.length === 0 || timer !== undefined) return
    // What fails here is settled with the next calls of the store.
    timer = setTimeout(() => {
      timer = undefined
      const again = late
      void settleTraces(store, []).catch(() => void late.push(...again))
    }, largeTraceEvery / 1_000).unref()
  }
  return settleTraces
}

/**
 * Settles the traces again whatever is stored of them, each in one step.
 * @throws StoreError when the store fails; traces settled before are kept
 */
export async function settleAgain(store: DerivingStore, touched: readonly TouchedTrace[]): Promise<void> {
  await settleAll(store, touched, { isAgain: true })
}

/**
 * Returns the traces that are to be settled later. The rows of all others are written together: an insert takes the engine as long as thousands of rows.
 * Those of traces that are settled before one fails are written nevertheless.
 */
async function settleAll(store: DerivingStore, touched: readonly TouchedTrace[], options: SettleOptions = {}): Promise<TouchedTrace[]> {
  const late: TouchedTrace[] = []
  const settled = newWrites(store)
  try {
    for (const ofProject of byProject(touched, store.isShared ? maxTraces : maxKnownTraces)) {
      const known = await readKnown(store, ofProject)
      for (const written of parts(ofProject, maxTraces)) late.push(...(await settle({ store, settled }, { written, known, ...options })))
    }
  } finally {
    await settled.finish()
  }
  return late
}

/** Groups of at most `most` traces of one project, sorted by time so that a statement for a part of a group reads a short time range. */
function byProject(touched: readonly TouchedTrace[], most: number): TouchedTrace[][] {
  const projects = new Map<string, TouchedTrace[]>()
  for (const trace of touched) {
    const own = projects.get(trace.project_id)
    if (own === undefined) projects.set(trace.project_id, [trace])
    else own.push(trace)
  }
  const byTime = (traces: readonly TouchedTrace[]) => traces.toSorted((one, other) => one.from - other.from)
  return [...projects.values()].flatMap((traces) => parts(byTime(traces), most))
}

function parts<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size))
}

/** The stored rows of traces of one project. */
async function readKnown(store: DerivingStore, traces: readonly TouchedTrace[]): Promise<Map<string, KnownTrace>> {
  const ids = traces.map(({ trace_id }) => trace_id)
  return new Map((await store.rows<KnownTrace>(knownTraces(traces[0]?.project_id ?? '', ids))).map((row) => [row.trace_id, row]))
}

interface Settlement {
  store: DerivingStore
  /** Where the rows go. */
  settled: Writes
}

async function settle({ store, settled }: Settlement, { written, known, isAgain = false }: SettledTraces): Promise<TouchedTrace[]> {
  const project_id = written[0]?.project_id ?? ''
  const isLate = ({ trace_id }: TouchedTrace) => !isAgain && wasJustSettled(known.get(trace_id))
  const touched = written.filter((trace) => !isLate(trace))
  const ids = touched.map(({ trace_id }) => trace_id)
  const late = written.filter(isLate)
  await markBehind(
    { store, settled },
    late.flatMap(({ trace_id }) => known.get(trace_id) ?? []),
  )
  if (ids.length === 0) return late
  const range = rangeOf(touched, known, store.isShared ? sharedMargin : 0)
  // If several servers settle a trace at the same time, the one that began to read its calls last has seen most of them, whichever writes last.
  const begun = nextMoment()
  const nodes = new Map<string, StoredNode[]>()
  for (const node of await store.rows<StoredNode>(nodesOf(project_id, ids, range))) {
    const own = nodes.get(node.trace_id)
    if (own === undefined) nodes.set(node.trace_id, [node])
    else own.push(node)
  }
  const settledBefore = isAgain ? ids : ids.filter((id) => known.has(id))
  const before = settledBefore.length === 0 ? [] : await store.rows<UsageKey>(usageBefore(project_id, settledBefore, range))
  await settled.add(rowsOf({ project_id, ids, known, nodes, before, begun }))
  return late
}

/** Marks rows as pending until they are settled. Their versions remain the times at which they were settled. */
async function markBehind({ store, settled }: Settlement, known: readonly KnownTrace[]): Promise<void> {
  const ahead = known.filter(({ is_behind }) => is_behind === 0)
  const [first] = ahead
  if (first === undefined) return
  const { project_id } = first
  const ids = ahead.map(({ trace_id }) => trace_id)
  const rows = await store.rows<AnsweredRow>(sql`SELECT ${wholeTrace.select} FROM heddle.traces FINAL ${amongTraces(project_id, ids)}`)
  const traces = rows.map(wholeTrace.decode).map((row) => ({ ...row, is_behind: 1, version: row.version + 1n }))
  await settled.add({ traces, usage: [] })
}

function wasJustSettled(known: KnownTrace | undefined): boolean {
  return known !== undefined && known.calls > largeTrace && Date.now() * 1_000 - Number(known.version) < largeTraceEvery
}

interface Range {
  from: Micros
  until: Micros
}

function rangeOf(touched: readonly TouchedTrace[], known: ReadonlyMap<string, KnownTrace>, margin: number): Range {
  const range = { from: Infinity, until: -Infinity }
  for (const { trace_id, from, until } of touched) {
    const before = known.get(trace_id)
    range.from = Math.min(range.from, from, before?.from_micros ?? from)
    range.until = Math.max(range.until, until, before?.until_micros ?? until)
  }
  return { from: range.from - margin, until: range.until + margin }
}

interface Settling {
  project_id: string
  ids: readonly string[]
  known: ReadonlyMap<string, KnownTrace>
  nodes: ReadonlyMap<string, readonly StoredNode[]>
  before: readonly UsageKey[]
  /** Microseconds at which the calls began to be read. */
  begun: bigint
}

interface WrittenRows {
  traces: TraceRow[]
  usage: UsageRow[]
}

/** Rows of all traces, including ends of those that are no longer valid. Unchanged usage is not written again. */
function rowsOf({ project_id, ids, known, nodes, before, begun }: Settling): WrittenRows {
  const rows: WrittenRows = { traces: [], usage: [] }
  const stored = new Map(before.map((row) => [keyOf(row.trace_id, row.started_micros, row.call_id, row.model), row]))
  const isStored = (row: SettledRows['usage'][number]) => {
    // Traces are mostly new.
    if (stored.size === 0) return false
    const key = keyOf(row.trace_id, row.started_at, row.call_id, row.model)
    const same = stored.get(key)
    stored.delete(key)
    return same !== undefined && isSame(same, row)
  }
  for (const id of ids) {
    const own = known.get(id)
    const version = versionAfter(own, begun)
    const settled = settledRows(project_id, nodes.get(id) ?? [])
    if (settled === undefined) {
      if (own !== undefined) rows.traces.push({ ...emptyTrace(project_id, own), is_behind: 0, version, is_deleted: 1 })
      continue
    }
    invariant(settled.trace.trace_id === id, 'traces.calls-are-of-their-trace', () => `trace ${settled.trace.trace_id} instead of ${id}`)
    rows.traces.push({ ...settled.trace, is_behind: 0, version, is_deleted: 0 })
    for (const row of settled.usage) if (!isStored(row)) rows.usage.push({ ...row, version, is_deleted: 0 })
  }
  for (const row of stored.values())
    rows.usage.push({ ...emptyUsage(project_id, row), version: versionAfter(known.get(row.trace_id), begun), is_deleted: 1 })
  return rows
}

const keyOf = (...parts: (string | number)[]) => JSON.stringify(parts)

let lastMoment = 0n

/** Microseconds of the clock, which rise in this process although the clock has milliseconds. */
function nextMoment(): bigint {
  const now = BigInt(Date.now()) * 1_000n
  lastMoment = now > lastMoment ? now : lastMoment + 1n
  return lastMoment
}

/** Versions of one trace rise, whatever the clock does. */
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

/** Rows that wait to be written together. */
interface Writes {
  add(rows: WrittenRows): Promise<void>
  /** Writes those that wait. */
  finish(): Promise<void>
}

/** Most rows that wait: some 10 MB. */
const maxWaitingRows = 20_000

function newWrites(store: DerivingStore): Writes {
  let waiting: WrittenRows[] = []
  let rows = 0
  const finish = async () => {
    const written = waiting
    waiting = []
    rows = 0
    await write(store, { traces: written.flatMap(({ traces }) => traces), usage: written.flatMap(({ usage }) => usage) })
  }
  return {
    async add(more) {
      waiting.push(more)
      rows += more.traces.length + more.usage.length
      if (rows >= maxWaitingRows) await finish()
    },
    finish,
  }
}

async function write(store: DerivingStore, { traces, usage }: WrittenRows): Promise<void> {
  if (usage.length > 0) {
    const encoder = usageRows()
    for (const row of usage) encoder.add(row)
    await store.insert(usageTable, encoder.finish())
  }
  if (traces.length === 0) return
  const encoder = traceRows()
  for (const row of traces) encoder.add(row)
  await store.insert(tracesTable, encoder.finish())
}

const micros = (column: Sql) => sql`toFloat64(toUnixTimestamp64Micro(${column}))`

function knownTraces(project_id: string, ids: readonly string[]): Sql {
  return sql`SELECT project_id, trace_id, ${micros(sql`started_at`)} AS from_micros, ${micros(sql`last_start_at`)} AS until_micros, toFloat64(calls) AS calls, is_behind, toString(version) AS version
    FROM heddle.traces FINAL ${amongTraces(project_id, ids)}`
}

/**
 * Both columns are of the table's key, so versions of a row may be filtered before the last one is found. Else all rows of a granule are read and merged
 * for each id, and most ids are those of new traces, which have no row.
 */
function amongTraces(project_id: string, ids: readonly string[]): Sql {
  return sql`PREWHERE project_id = ${bind('String', project_id)} AND trace_id IN ${bind('Array(String)', ids)}`
}

function inRange({ from, until }: Range): Sql {
  const time = (at: Micros) => sql`fromUnixTimestamp64Micro(${bind('Int64', Math.floor(at))})`
  return sql`started_at >= ${time(from)} AND started_at <= ${time(until)}`
}

/** Calls of traces that start in a range, as they are settled. */
export function nodesOf(project_id: string, ids: readonly string[], range: Range): Sql {
  return sql`SELECT id, parent_id, trace_id, ${micros(sql`started_at`)} AS started_micros, ${micros(sql`ended_at`)} AS ended_micros,
      toString(status) AS status, thread_id, turn_id, toString(op_name) AS op_name, toString(wb_user_id) AS wb_user_id,
      toString(kind_words) AS kind_words, toString(span_scope) AS span_scope, response_id, toString(service_tier) AS service_tier,
      if(notEmpty(usage.model), JSONExtractRaw(summary, 'usage'), '') AS usage_text,
      ${micros(sql`expire_at`)} AS expire_micros
    FROM heddle.calls FINAL WHERE project_id = ${bind('String', project_id)} AND ${inRange(range)} AND trace_id IN ${bind('Array(String)', ids)}
      AND has_start = 1 AND id NOT IN (SELECT call_id FROM heddle.deleted_calls WHERE project_id = ${bind('String', project_id)} AND trace_id IN ${bind('Array(String)', ids)})
      AND (expire_at = fromUnixTimestamp64Micro(toInt64(0)) OR expire_at > now64(6))`
}

export function usageBefore(project_id: string, ids: readonly string[], range: Range): Sql {
  return sql`SELECT call_id, toString(model) AS model, trace_id, thread_id, toString(wb_user_id) AS wb_user_id, toString(service_tier) AS service_tier,
      ${micros(sql`started_at`)} AS started_micros, [${join(countNames.map(toCount), sql`, `)}] AS counted
    FROM heddle.usage FINAL WHERE project_id = ${bind('String', project_id)} AND ${inRange(range)} AND trace_id IN ${bind('Array(String)', ids)}`
}

const toCount = (name: (typeof countNames)[number]) => sql`toFloat64(${bind('Identifier', name)})`

function emptyTrace(project_id: string, { trace_id, from_micros, until_micros }: KnownTrace): SettledRows['trace'] {
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

function emptyUsage(project_id: string, { started_micros, call_id, model, trace_id }: UsageKey): SettledRows['usage'][number] {
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
