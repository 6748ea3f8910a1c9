import { badRequest } from '@heddle/core-api'
import {
  bind,
  callsTable,
  join,
  rowEncoders,
  serverWork,
  sharedWork,
  sql,
  type ScopedAnalytical,
  type CallRow,
  type Micros,
  type RowBlock,
  type Sql,
} from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { CallColumns } from './call-record.ts'
import { unknownIndex } from '../../query/build-index.ts'
import {
  compileCallsQuery,
  seen,
  type CompiledCallsQuery,
  type ProbeRow,
  type StartRange,
  type TablePlaceRow,
} from '../../query/calls-query.ts'
import type { DeletedVersions } from '../refs/deleted-versions.ts'
import type { FindTables } from '../refs/find-tables.ts'
import type { StoredIds } from './open-calls-cache.ts'
import { createBatcher } from './batcher.ts'
import type { CallKey, CallsSelection, CallsStore, PayloadColumn, TreeNode } from './calls-store.ts'
import { EncodedCall, type WrittenCall } from './encoded-call.ts'
import { createKnownGaps, noKnownGaps } from './known-gaps.ts'
import { createPageRangeHints } from './page-range-hints.ts'
import { usageOf } from './usage-counts.ts'

/** A row as the engine answers it: 64-bit integers and times (microseconds) are texts. */
type Answered<T> = { [K in keyof T]: T[K] extends bigint ? string : T[K] extends number | null ? string | Extract<T[K], null> : T[K] }

const identifying = sql`project_id, id, trace_id, parent_id, thread_id, turn_id, op_name, op_short_name, display_name, start_display_name, exception, status,
  toUnixTimestamp64Micro(started_at) AS started_at_us, toUnixTimestamp64Micro(ended_at) AS ended_at_us, toUnixTimestamp64Micro(expire_at) AS expire_at_us,
  toUnixTimestamp64Micro(deleted_at) AS deleted_at_us, wb_user_id, wb_run_id, wb_run_step, wb_run_step_end, storage_size_bytes, has_start, version, is_deleted`

/** What an answer shows of a call beside its payloads, and what tells its versions apart. Each column costs about as much as its first row. */
const shown = sql`id, trace_id, parent_id, thread_id, turn_id, op_name, op_short_name, display_name, exception, status,
  toUnixTimestamp64Micro(started_at) AS started_at_us, toUnixTimestamp64Micro(ended_at) AS ended_at_us, toUnixTimestamp64Micro(expire_at) AS expire_at_us,
  wb_user_id, wb_run_id, wb_run_step, wb_run_step_end, storage_size_bytes, version, is_deleted`

type Identified = Answered<
  Omit<CallRow, 'started_at' | 'ended_at' | 'expire_at' | 'deleted_at' | PayloadColumn | 'idx' | 'idx_gaps' | 'input_refs' | 'output_refs'>
> & { started_at_us: string; ended_at_us: string | null; expire_at_us: string; deleted_at_us: string | null }
type Shown = Omit<Identified, 'project_id' | 'start_display_name' | 'deleted_at_us' | 'has_start'>
type Payloads = Partial<Pick<CallRow, PayloadColumn>>

const payloadSql: Record<PayloadColumn, Sql> = {
  attributes: sql`attributes`,
  inputs: sql`inputs`,
  output: sql`output`,
  summary: sql`summary`,
  otel: sql`otel`,
}
const allPayloads = join(Object.values(payloadSql), sql`, `)

/** Keys that are held at a time. */
const blockSize = 50_000
/** About what the columns beside the payloads take in a row. */
const rowOverhead = 700
/** The same of a path or a text of the index. */
const bytesOfPart = 24
/** Datasets and tables to whose rows the refs of one query may lead. */
const maxTablePlaces = 10_000
/** Ids of one look-up. */
const maxLookedUp = 2_000
/** Calls that are read whole by one statement. */
const maxReadAtOnce = 50

interface CallsStoreDeps {
  analytical: ScopedAnalytical
  /** True when other servers write to the same store. */
  sharesStore: boolean
  clock: () => Micros
  /** Object versions through which a selection must not read. */
  deletedVersions: DeletedVersions
  /** Tables behind refs to rows. */
  findTables: FindTables
}

export function sqlCallsStore({ analytical, sharesStore, clock, deletedVersions, findTables }: CallsStoreDeps): CallsStore {
  const pageRangeHints = createPageRangeHints()
  const gaps = sharesStore ? noKnownGaps : createKnownGaps({ read: readGaps })

  async function readGaps(projectId: string, limit: number): Promise<string[]> {
    const found = await analytical
      .of(serverWork)
      .rows<{ idx_gaps: string }>(
        sql`SELECT DISTINCT idx_gaps FROM heddle.calls WHERE project_id = ${bind('String', projectId)} LIMIT ${bind('UInt64', limit)}`,
      )
    return found.map(({ idx_gaps }) => idx_gaps)
  }

  async function compile(project: ProjectScope, selection: CallsSelection, started?: StartRange): Promise<CompiledCallsQuery> {
    const readsThroughRefs = (selection.expand_columns ?? []).length > 0
    const input = { project_id: project.id, now: clock(), ...selection, started }
    const query = compileCallsQuery(input)
    if (!readsThroughRefs) return query
    const places = query.tablePlaces(maxTablePlaces + 1)
    const tables = places && (await findTables(project, await readPlaces(project, places)))
    return compileCallsQuery({ ...input, deletedVersions: await deletedVersions(project), tables })
  }

  async function readPlaces(project: ProjectScope, statement: Sql): Promise<string[]> {
    const places = await analytical.of(project).rows<TablePlaceRow>(statement)
    if (places.length > maxTablePlaces)
      throw badRequest(`expand_columns lead to rows of more than ${maxTablePlaces} datasets: expand fewer columns`)
    return places.map(({ table_place }) => table_place)
  }
  async function probe(project: ProjectScope, query: CompiledCallsQuery): Promise<ProbeRow | undefined> {
    if (query.probe === undefined) return undefined
    const mayHaveGaps = gaps.of(project.id)
    if (mayHaveGaps !== undefined) return { gaps: query.gapEntries.map((entries) => Number(mayHaveGaps(entries))) }
    return (await analytical.of(project).rows<ProbeRow>(query.probe))[0]
  }

  const live = (project: ProjectScope) => join(seen({ project_id: project.id, now: clock() }), sql` AND `)
  const tracesOf = (project: ProjectScope, ids: readonly string[]) =>
    sql`trace_id IN (SELECT trace_id FROM heddle.calls FINAL WHERE ${live(project)} AND id IN ${bind('Array(String)', possibleIds(ids))})`

  const lookUp = createBatcher<LookUp, Map<string, CallRow>>({
    run: (lookUps) => readLatest(analytical, lookUps),
    weigh: ({ ids }) => ids.length,
    maxWeight: maxLookedUp,
  })
  const readOnes = createBatcher<LookUp, Map<string, ReadOne>>({
    run: (lookUps) => readWhole(analytical, lookUps),
    weigh: ({ ids }) => ids.length,
    maxWeight: maxReadAtOnce,
  })

  async function findKeys(project: ProjectScope, selection: CallsSelection, started?: StartRange): Promise<CallKey[]> {
    const query = await compile(project, selection, started)
    return analytical.of(project).rows<CallKey>(query.keys(await probe(project, query)))
  }

  async function findBlock(project: ProjectScope, selection: CallsSelection): Promise<CallKey[]> {
    const { ranges, record } = pageRangeHints.of(project.id, selection)
    let keys: CallKey[] = []
    for (const range of [...ranges, undefined]) {
      keys = await findKeys(project, selection, range)
      if (keys.length === selection.limit) break
    }
    record(keys)
    return keys
  }

  return {
    async findLatest(project, ids) {
      const possible = possibleIds(ids)
      if (possible.length === 0) return []
      const found = await lookUp({ project, ids: possible })
      return ids.flatMap((id) => found.get(`${project.id}\0${id}`) ?? [])
    },

    async *storedIds() {
      const statement = sql`SELECT project_id, groupArray(id) AS ids FROM heddle.calls GROUP BY project_id, intDiv(rowNumberInAllBlocks(), 10000)`
      for await (const blocks of analytical.of(serverWork).blocks<StoredIds>(statement)) yield* blocks
    },

    async append(rows) {
      await gaps.storing(rows, () => analytical.insert(callsTable, blockOf(rows)))
    },

    findTraces(project, ids) {
      return analytical
        .of(project)
        .rows<TreeNode>(sql`SELECT id, parent_id FROM heddle.calls FINAL WHERE ${live(project)} AND ${tracesOf(project, ids)}`)
    },

    countTraces(project, ids) {
      return analytical
        .of(project)
        .rows<{ trace_id: string; calls: number }>(
          sql`SELECT trace_id, toFloat64(count()) AS calls FROM heddle.calls FINAL WHERE ${live(project)} AND ${tracesOf(project, ids)} GROUP BY trace_id`,
        )
    },

    async readUsage(project, traceIds) {
      const rows = await analytical
        .of(project)
        .rows<{ id: string; parent_id: string; ended: number; started_micros: number; summary: string }>(
          sql`SELECT id, parent_id, isNotNull(ended_at) AS ended, toFloat64(toUnixTimestamp64Micro(started_at)) AS started_micros, summary FROM heddle.calls FINAL
          WHERE ${live(project)} AND trace_id IN ${bind('Array(String)', traceIds)}`,
        )
      return rows.map(({ id, parent_id, ended, started_micros, summary }) => ({
        id,
        parent_id,
        ended: Number(ended) === 1,
        started_at: started_micros,
        usage: usageOf(summary),
      }))
    },

    async select(project, selection) {
      const total = selection.limit ?? Number.POSITIVE_INFINITY
      const start = selection.offset ?? 0
      const blockAt = (found: number) =>
        findBlock(project, { ...selection, limit: Math.min(blockSize, total - found), offset: start + found })
      const first = total <= blockSize ? await findBlock(project, selection) : await blockAt(0)
      return (async function* () {
        let found = first.length
        for (let block = first; block.length > 0; found += block.length) {
          yield block
          if (block.length < blockSize || found >= total) return
          block = await blockAt(found)
        }
      })()
    },

    async count(project, selection) {
      const query = await compile(project, selection)
      const [row] = await analytical.of(project).rows<{ count: number }>(query.count(await probe(project, query)))
      return row?.count ?? 0
    },

    async storageOf(project, selection) {
      const query = await compile(project, selection)
      const [row] = await analytical.of(project).rows<{ bytes: number | null }>(query.storage(await probe(project, query)))
      return row?.bytes ?? 0
    },

    async traceSizes(project, traceIds) {
      if (traceIds.length === 0) return new Map()
      const rows = await analytical.of(project).rows<{ trace_id: string; bytes: number }>(
        sql`SELECT trace_id, toFloat64(sum(storage_size_bytes)) AS bytes FROM heddle.calls FINAL
          WHERE ${live(project)} AND trace_id IN ${bind('Array(String)', traceIds)} GROUP BY trace_id`,
      )
      return new Map(rows.map((row) => [row.trace_id, row.bytes]))
    },

    async totalBytes(project) {
      const [row] = await analytical
        .of(project)
        .rows<{ bytes: number }>(sql`SELECT toFloat64(sum(storage_size_bytes)) AS bytes FROM heddle.calls FINAL WHERE ${live(project)}`)
      return row?.bytes ?? 0
    },

    async readPage(project, keys, payloads) {
      if (keys.length === 0) return []
      const starts = keys.map((key) => key.started_micros)
      const columns = join([shown, ...[...payloads].map((name) => payloadSql[name])], sql`, `)
      const found = await analytical.of(project).rows<Shown & Payloads>(
        sql`SELECT ${columns} FROM heddle.calls WHERE project_id = ${bind('String', project.id)}
          AND started_at BETWEEN ${time(Math.min(...starts))} AND ${time(Math.max(...starts))}
          AND id IN ${bind(
            'Array(String)',
            keys.map((key) => key.id),
          )}`,
      )
      const live = latestVersions(found, ({ id }) => id)
      return keys.flatMap(({ id }) => {
        const row = live.get(id)
        return row === undefined || Number(row.is_deleted) === 1 ? [] : [toColumns(project.id, row)]
      })
    },

    async readOne(project, id) {
      if (possibleIds([id]).length === 0) return undefined
      const found = await readOnes({ project, ids: [id] })
      const row = found.get(`${project.id}\0${id}`)
      return row !== undefined && isLive(row, clock()) ? toColumns(project.id, row) : undefined
    },

    async isLatest(project, { id, started_at, version }) {
      // A start time that moves leaves a deleted version here.
      const [latest] = await analytical.of(project).rows<{ version: string }>(
        sql`SELECT max(version) AS version FROM heddle.calls WHERE project_id = ${bind('String', project.id)}
          AND started_at = ${time(started_at)} AND id = ${bind('String', id)}`,
      )
      return latest?.version === String(version)
    },
  }
}

/** Ids that a call can have: one with NUL in it is refused by the store, together with all that go with it. */
function possibleIds(ids: readonly string[]): string[] {
  return ids.filter((id) => !id.includes('\0'))
}

/** Ids of one project, opened by whoever asks. */
interface LookUp {
  project: ProjectScope
  ids: readonly string[]
}

const scopesOf = (lookUps: readonly LookUp[]) => lookUps.map(({ project }) => project)

/** Latest versions of ids of some projects, by project and id. */
async function readLatest(analytical: ScopedAnalytical, lookUps: readonly LookUp[]): Promise<Map<string, CallRow>> {
  const found = await analytical
    .of(sharedWork(scopesOf(lookUps)))
    .rows<Identified & Required<Payloads> & Pick<CallRow, 'input_refs' | 'output_refs'>>(
      sql`SELECT ${identifying}, ${allPayloads}, input_refs, output_refs FROM heddle.calls WHERE ${anyOf(lookUps)}`,
    )
  const latest = latestVersions(found, keyOf)
  return new Map([...latest].map(([key, row]) => [key, { ...toCallRow(row), ...unknownIndex }]))
}

type ReadOne = Shown & Required<Payloads> & Pick<Identified, 'project_id' | 'has_start'>

/** The same with what an answer shows. */
async function readWhole(analytical: ScopedAnalytical, lookUps: readonly LookUp[]): Promise<Map<string, ReadOne>> {
  const found = await analytical
    .of(sharedWork(scopesOf(lookUps)))
    .rows<ReadOne>(sql`SELECT project_id, has_start, ${shown}, ${allPayloads} FROM heddle.calls WHERE ${anyOf(lookUps)}`)
  return latestVersions(found, keyOf)
}

/** Each project's ids are looked for in that project alone. */
function anyOf(lookUps: readonly LookUp[]): Sql {
  const wanted = lookUps.map(
    ({ project, ids }) => sql`(project_id = ${bind('String', project.id)} AND id IN ${bind('Array(String)', ids)})`,
  )
  return join(wanted, sql` OR `)
}

function keyOf({ project_id, id }: Pick<Identified, 'project_id' | 'id'>): string {
  return `${project_id}\0${id}`
}

/** True for a version that a reader sees. */
function isLive({ has_start, is_deleted, expire_at_us }: ReadOne, now: Micros): boolean {
  return Number(has_start) === 1 && Number(is_deleted) === 0 && (Number(expire_at_us) === 0 || Number(expire_at_us) > now)
}

const encoders = rowEncoders(callsTable)

/** All rows as one block. */
function blockOf(written: readonly WrittenCall[]): RowBlock {
  const rows = written.filter((row) => !(row instanceof EncodedCall)) as CallRow[]
  const parts: Uint8Array[] = written.filter((row) => row instanceof EncodedCall).map(({ bytes }) => bytes)
  if (rows.length > 0) parts.unshift(encode(rows))
  return { bytes: joined(parts), rows: written.length, onlyDeletes: written.every(({ is_deleted }) => is_deleted === 1) }
}

function encode(rows: readonly CallRow[]): Uint8Array {
  const encoder = encoders(expectedBytes(rows))
  for (const row of rows) encoder.add(row)
  return encoder.finish().bytes
}

/** Buffers as one, without a copy where each begins in memory where the one before it ends. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts
  const follows = (part: Uint8Array, before: Uint8Array) =>
    part.buffer === before.buffer && part.byteOffset === before.byteOffset + before.byteLength
  const isWhole = parts.every((part, index) => index === 0 || follows(part, parts[index - 1] as Uint8Array))
  if (first === undefined || !isWhole) return Buffer.concat(parts)
  const bytes = parts.reduce((sum, part) => sum + part.byteLength, 0)
  return new Uint8Array(first.buffer, first.byteOffset, bytes)
}

/** Room for texts that may take three bytes a character at the end of the block, and for the other columns. */
function expectedBytes(rows: readonly CallRow[]): number {
  let bytes = 0
  let longest = 0
  for (const { attributes, inputs, output, summary, otel, idx } of rows) {
    const length = attributes.length + inputs.length + output.length + summary.length + otel.length
    bytes += length + rowOverhead + idx.length * bytesOfPart
    if (length > longest) longest = length
  }
  return bytes + 2 * longest
}

function time(micros: number): Sql {
  return sql`fromUnixTimestamp64Micro(${bind('Int64', micros)})`
}

type Versioned = Pick<Identified, 'version' | 'is_deleted'>

/** The highest version of each call, by its key. A call whose start time moved has its old key ended under the same version: the living one counts. */
function latestVersions<T extends Versioned>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T> {
  const latest = new Map<string, T>()
  for (const row of rows) {
    const key = keyOf(row)
    const known = latest.get(key)
    if (known === undefined || isLater(row, known)) latest.set(key, row)
  }
  return latest
}

function isLater(row: Versioned, known: Versioned): boolean {
  const difference = BigInt(row.version) - BigInt(known.version)
  return difference > 0n || (difference === 0n && Number(row.is_deleted) < Number(known.is_deleted))
}

function toCallRow<T extends Identified>(row: T) {
  const { started_at_us, ended_at_us, expire_at_us, deleted_at_us, ...same } = row
  return {
    ...same,
    started_at: Number(started_at_us),
    ended_at: ended_at_us === null ? null : Number(ended_at_us),
    expire_at: Number(expire_at_us),
    deleted_at: deleted_at_us === null ? null : Number(deleted_at_us),
    wb_run_step: row.wb_run_step === null ? null : Number(row.wb_run_step),
    wb_run_step_end: row.wb_run_step_end === null ? null : Number(row.wb_run_step_end),
    storage_size_bytes: BigInt(row.storage_size_bytes),
    has_start: Number(row.has_start),
    version: BigInt(row.version),
    is_deleted: Number(row.is_deleted),
  }
}

/** Written out: many rows are read, and copying the rest of an object is slow. */
function toColumns(project_id: string, row: Shown & Payloads): CallColumns {
  return {
    id: row.id,
    project_id,
    trace_id: row.trace_id,
    op_name: row.op_name,
    op_short_name: row.op_short_name,
    started_at: Number(row.started_at_us),
    ended_at: row.ended_at_us === null ? null : Number(row.ended_at_us),
    exception: row.exception,
    status: row.status,
    display_name: row.display_name,
    parent_id: row.parent_id,
    thread_id: row.thread_id,
    turn_id: row.turn_id,
    wb_user_id: row.wb_user_id,
    wb_run_id: row.wb_run_id,
    wb_run_step: row.wb_run_step === null ? null : Number(row.wb_run_step),
    wb_run_step_end: row.wb_run_step_end === null ? null : Number(row.wb_run_step_end),
    expire_at: Number(row.expire_at_us),
    storage_size_bytes: BigInt(row.storage_size_bytes),
    version: BigInt(row.version),
    attributes: row.attributes ?? null,
    inputs: row.inputs ?? null,
    output: row.output ?? null,
    summary: row.summary ?? null,
    otel: row.otel ?? null,
  }
}
