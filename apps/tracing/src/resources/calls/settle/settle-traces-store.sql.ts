import {
  bind,
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
 * How far around the known calls of a trace others are looked for where several servers write: one that writes at the same moment may not have settled its
 * own yet. A server that writes alone knows the range of all.
 */
const sharedMargin = 3_600_000_000

const traceRows = rowEncoders(tracesTable)
const usageRows = rowEncoders(usageTable)

interface SettleOptions {
  /** Nothing that is stored of the traces is trusted. */
  isAgain?: boolean
}

interface SettledTraces extends SettleOptions {
  project_id: string
  written: readonly TouchedTrace[]
}

/** What is stored of a trace that was settled before. */
interface KnownTrace {
  project_id: string
  trace_id: string
  from_micros: number
  until_micros: number
  calls: number
  version: string
}

type UsageKey = Pick<UsageRow, 'call_id' | 'model' | 'trace_id'> & { started_micros: number; counted: number[] }

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
 * Settles the traces again whatever is stored of them, in one go each.
 * @throws StoreError where the store fails; what was settled until then stays
 */
export async function settleAgain(store: DerivingStore, touched: readonly TouchedTrace[]): Promise<void> {
  await settleAll(store, touched, { isAgain: true })
}

/** Answers those that are to be settled later. */
async function settleAll(store: DerivingStore, touched: readonly TouchedTrace[], options: SettleOptions = {}): Promise<TouchedTrace[]> {
  const late: TouchedTrace[] = []
  const byProject = new Map<string, TouchedTrace[]>()
  for (const trace of touched) byProject.set(trace.project_id, [...(byProject.get(trace.project_id) ?? []), trace])
  for (const [project_id, traces] of byProject) {
    // Traces of the same time are read together, so that a statement reads a short range.
    const byTime = traces.toSorted((one, other) => one.from - other.from)
    for (let at = 0; at < byTime.length; at += maxTraces)
      late.push(...(await settle(store, { project_id, written: byTime.slice(at, at + maxTraces), ...options })))
  }
  return late
}

async function settle(store: DerivingStore, { project_id, written, isAgain = false }: SettledTraces): Promise<TouchedTrace[]> {
  const all = written.map(({ trace_id }) => trace_id)
  const known = new Map((await store.rows<KnownTrace>(knownTraces(project_id, all))).map((row) => [row.trace_id, row]))
  const isLate = ({ trace_id }: TouchedTrace) => !isAgain && wasJustSettled(known.get(trace_id))
  const touched = written.filter((trace) => !isLate(trace))
  const ids = touched.map(({ trace_id }) => trace_id)
  if (ids.length === 0) return written.filter(isLate)
  const range = rangeOf(touched, known, store.isShared ? sharedMargin : 0)
  const nodes = new Map<string, StoredNode[]>()
  for (const node of await store.rows<StoredNode>(nodesOf(project_id, ids, range))) {
    const own = nodes.get(node.trace_id)
    if (own === undefined) nodes.set(node.trace_id, [node])
    else own.push(node)
  }
  const settledBefore = isAgain ? ids : ids.filter((id) => known.has(id))
  const before = settledBefore.length === 0 ? [] : await store.rows<UsageKey>(usageBefore(project_id, settledBefore, range))
  await write(store, rowsOf({ project_id, ids, known, nodes, before }))
  return written.filter(isLate)
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
}

interface WrittenRows {
  traces: TraceRow[]
  usage: UsageRow[]
}

/** Rows of all traces, with the ends of those that are no longer true. Usage that is stored as it is now is not written again. */
function rowsOf({ project_id, ids, known, nodes, before }: Settling): WrittenRows {
  const rows: WrittenRows = { traces: [], usage: [] }
  const stored = new Map(before.map((row) => [keyOf(row.trace_id, row.started_micros, row.call_id, row.model), row]))
  for (const id of ids) {
    const own = known.get(id)
    const version = nextVersion(own)
    const settled = settledRows(project_id, nodes.get(id) ?? [])
    if (settled === undefined) {
      if (own !== undefined) rows.traces.push({ ...emptyTrace(project_id, own), version, is_deleted: 1 })
      continue
    }
    rows.traces.push({ ...settled.trace, version, is_deleted: 0 })
    for (const row of settled.usage) {
      const key = keyOf(row.trace_id, row.started_at, row.call_id, row.model)
      const same = stored.get(key)
      stored.delete(key)
      if (same === undefined || !isSame(same, row)) rows.usage.push({ ...row, version, is_deleted: 0 })
    }
  }
  for (const row of stored.values())
    rows.usage.push({ ...emptyUsage(project_id, row), version: nextVersion(known.get(row.trace_id)), is_deleted: 1 })
  return rows
}

const keyOf = (...parts: (string | number)[]) => JSON.stringify(parts)

/** Versions of one trace rise, whatever the clock does. */
function nextVersion(known: KnownTrace | undefined): bigint {
  const now = BigInt(Date.now()) * 1_000n
  const after = known === undefined ? 0n : BigInt(known.version) + 1n
  return now > after ? now : after
}

const countsOf = (row: SettledRows['usage'][number]) => [
  row.input_tokens,
  row.output_tokens,
  row.cache_read_tokens,
  row.cache_write_tokens,
  row.reasoning_tokens,
  row.total_tokens,
]

/** Thread and user are compared too, as texts behind the counts. */
function isSame(
  { counted, ...stored }: UsageKey & { thread_id?: string; wb_user_id?: string },
  row: SettledRows['usage'][number],
): boolean {
  return (
    stored.thread_id === row.thread_id && stored.wb_user_id === row.wb_user_id && countsOf(row).every((count, at) => count === counted[at])
  )
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
  return sql`SELECT project_id, trace_id, ${micros(sql`started_at`)} AS from_micros, ${micros(sql`last_start_at`)} AS until_micros, toFloat64(calls) AS calls, toString(version) AS version
    FROM heddle.traces FINAL WHERE project_id = ${bind('String', project_id)} AND trace_id IN ${bind('Array(String)', ids)}`
}

function inRange({ from, until }: Range): Sql {
  const time = (at: Micros) => sql`fromUnixTimestamp64Micro(${bind('Int64', Math.floor(at))})`
  return sql`started_at >= ${time(from)} AND started_at <= ${time(until)}`
}

function nodesOf(project_id: string, ids: readonly string[], range: Range): Sql {
  return sql`SELECT id, parent_id, trace_id, ${micros(sql`started_at`)} AS started_micros, ${micros(sql`ended_at`)} AS ended_micros,
      toUInt8(ifNull(exception, '') != '') AS failed, toString(status) AS status, thread_id, turn_id, toString(op_name) AS op_name, toString(wb_user_id) AS wb_user_id,
      toString(kind_words) AS kind_words, toString(span_scope) AS span_scope, if(notEmpty(usage.model), JSONExtractRaw(summary, 'usage'), '') AS usage_text,
      ${micros(sql`expire_at`)} AS expire_micros
    FROM heddle.calls FINAL WHERE project_id = ${bind('String', project_id)} AND ${inRange(range)} AND trace_id IN ${bind('Array(String)', ids)}
      AND has_start = 1 AND (expire_at = fromUnixTimestamp64Micro(toInt64(0)) OR expire_at > now64(6))`
}

function usageBefore(project_id: string, ids: readonly string[], range: Range): Sql {
  return sql`SELECT call_id, toString(model) AS model, trace_id, thread_id, toString(wb_user_id) AS wb_user_id, ${micros(sql`started_at`)} AS started_micros,
      arrayMap(count -> toFloat64(count), [input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, total_tokens]) AS counted
    FROM heddle.usage FINAL WHERE project_id = ${bind('String', project_id)} AND ${inRange(range)} AND trace_id IN ${bind('Array(String)', ids)}`
}

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
    notes: '',
    expire_at: 0,
  }
}

function emptyUsage(project_id: string, { started_micros, call_id, model, trace_id }: UsageKey): SettledRows['usage'][number] {
  const counts = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0, total_tokens: 0 }
  return {
    project_id,
    started_at: started_micros,
    call_id,
    model,
    trace_id,
    thread_id: '',
    op_name: '',
    wb_user_id: '',
    ...counts,
    expire_at: 0,
  }
}
