import { badRequest } from '@heddle/core-api/internal'
import {
  bind,
  callsTable,
  columnsExcept,
  join,
  joinRows,
  rowDecoder,
  rowEncoders,
  serverWork,
  sharedWork,
  sql,
  type AnsweredRow,
  type ScopedAnalytical,
  type CallRow,
  type Micros,
  type RowBlock,
  type RowDecoder,
  type Sql,
} from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
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
import type { CallsOfQueues } from '../annotation-queues/calls-of-queues.ts'
import type { FindTables } from '../refs/find-tables.ts'
import { createBatcher } from './cache/batcher.ts'
import {
  payloadColumns,
  shownColumns,
  type CallColumns,
  type CallKey,
  type CallsSelection,
  type CallsStore,
  type PayloadColumn,
  type StoredIds,
  type TreeNode,
} from './calls-store.ts'
import { EncodedCall, type WrittenCall } from './row/encoded-call.ts'
import { createKnownGaps, noKnownGaps } from './cache/known-gaps.ts'
import { createPageRangeHints } from './cache/page-range-hints.ts'
import { usageOf } from './stats/usage-counts.ts'

/** A version of a call without its index, by which writes are merged. */
const storedCall = rowDecoder(callsTable, columnsExcept(callsTable, ['idx', 'idx_gaps']), unknownIndex)
/** A version of a call as a reader sees it, with all its payloads. */
const wholeCall = rowDecoder(callsTable, ['project_id', 'has_start', ...shownColumns, ...payloadColumns])
type WholeCall = ReturnType<typeof wholeCall.decode>

const noPayloads: Pick<CallColumns, PayloadColumn> = { attributes: null, inputs: null, output: null, summary: null, otel: null }

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
  /** Calls of annotation queues that a selection names. */
  callsOfQueues: CallsOfQueues
}

export function sqlCallsStore({ analytical, sharesStore, clock, deletedVersions, findTables, callsOfQueues }: CallsStoreDeps): CallsStore {
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
    const named = { project_id: project.id, now: clock(), ...selection, started }
    const first = compileCallsQuery(named)
    const input = first.queues.length === 0 ? named : { ...named, queueCalls: await callsOfQueues(project, first.queues) }
    const query = input === named ? first : compileCallsQuery(input)
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
  const readOnes = createBatcher<LookUp, Map<string, WholeCall>>({
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
      const page: RowDecoder<CallColumns> = rowDecoder(callsTable, [...shownColumns, ...payloads], {
        ...noPayloads,
        project_id: project.id,
      })
      const found = await analytical.of(project).rows<AnsweredRow>(
        sql`SELECT ${page.select} FROM heddle.calls WHERE project_id = ${bind('String', project.id)}
          AND started_at BETWEEN ${time(Math.min(...starts))} AND ${time(Math.max(...starts))}
          AND id IN ${bind(
            'Array(String)',
            keys.map((key) => key.id),
          )}`,
      )
      const latest = latestVersions(found.map(page.decode), ({ id }) => id)
      return keys.flatMap(({ id }) => {
        const call = latest.get(id)
        return call === undefined || call.is_deleted === 1 ? [] : [call]
      })
    },

    async readOne(project, id) {
      if (possibleIds([id]).length === 0) return undefined
      const found = await readOnes({ project, ids: [id] })
      const call = found.get(`${project.id}\0${id}`)
      return call !== undefined && isLive(call, clock()) ? call : undefined
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
function readLatest(analytical: ScopedAnalytical, lookUps: readonly LookUp[]): Promise<Map<string, CallRow>> {
  return readVersions(analytical, lookUps, storedCall)
}

/** The same with what an answer shows. */
function readWhole(analytical: ScopedAnalytical, lookUps: readonly LookUp[]): Promise<Map<string, WholeCall>> {
  return readVersions(analytical, lookUps, wholeCall)
}

async function readVersions<R extends CallVersionKey>(
  analytical: ScopedAnalytical,
  lookUps: readonly LookUp[],
  { select, decode }: RowDecoder<R>,
): Promise<Map<string, R>> {
  const found = await analytical
    .of(sharedWork(scopesOf(lookUps)))
    .rows<AnsweredRow>(sql`SELECT ${select} FROM heddle.calls WHERE ${anyOf(lookUps)}`)
  return latestVersions(found.map(decode), ({ project_id, id }) => `${project_id}\0${id}`)
}

/** Each project's ids are looked for in that project alone. */
function anyOf(lookUps: readonly LookUp[]): Sql {
  const wanted = lookUps.map(
    ({ project, ids }) => sql`(project_id = ${bind('String', project.id)} AND id IN ${bind('Array(String)', ids)})`,
  )
  return join(wanted, sql` OR `)
}

/** True for a version that a reader sees. */
function isLive({ has_start, is_deleted, expire_at }: WholeCall, now: Micros): boolean {
  return has_start === 1 && is_deleted === 0 && (expire_at === 0 || expire_at > now)
}

const encoders = rowEncoders(callsTable)

/** All rows as one block. */
function blockOf(written: readonly WrittenCall[]): RowBlock {
  const rows = written.filter((row) => !(row instanceof EncodedCall)) as CallRow[]
  const parts: Uint8Array[] = written.filter((row) => row instanceof EncodedCall).map(({ bytes }) => bytes)
  if (rows.length > 0) parts.unshift(encode(rows))
  return { bytes: joinRows(parts), rows: written.length, onlyDeletes: written.every(({ is_deleted }) => is_deleted === 1) }
}

function encode(rows: readonly CallRow[]): Uint8Array {
  const encoder = encoders(expectedBytes(rows))
  for (const row of rows) encoder.add(row)
  return encoder.finish().bytes
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

type Versioned = Pick<CallRow, 'version' | 'is_deleted'>
type CallVersionKey = Versioned & Pick<CallRow, 'project_id' | 'id'>

/** The highest version of each call, by its key. A call whose start time moved has its old key ended under the same version: the living one counts. */
function latestVersions<R extends Versioned>(rows: readonly R[], keyOf: (row: R) => string): Map<string, R> {
  const latest = new Map<string, R>()
  for (const row of rows) {
    const key = keyOf(row)
    const known = latest.get(key)
    if (known === undefined || isLater(row, known)) latest.set(key, row)
  }
  return latest
}

function isLater(row: Versioned, known: Versioned): boolean {
  return row.version > known.version || (row.version === known.version && row.is_deleted < known.is_deleted)
}
