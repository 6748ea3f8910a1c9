import { badRequest } from '@heddle/core-api/internal'
import type { Micros, ScopedAnalytical, Sql } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import {
  compileCallsQuery,
  type CompiledCallsQuery,
  type ProbeRow,
  type StartRange,
  type StatementInput,
  type TablePlaceRow,
  type WrittenStarts,
} from '../../../query/calls-query.ts'
import type { CallsOfQueues } from '../../annotation-queues/items/calls-of-queues.ts'
import type { DeletedVersions } from '../../refs/deleted-versions.ts'
import type { FindTables } from '../../refs/find-tables.ts'
import type { CallsCache } from '../cache/calls-cache.ts'
import type { CallKey, CallsSelection, CallsStore } from '../calls-store.ts'

/** Keys that are held at a time. */
const blockSize = 50_000
/** Datasets and tables to whose rows the refs of one query may lead. */
const maxTablePlaces = 10_000

export interface CallSelectionDeps {
  analytical: ScopedAnalytical
  cache: Pick<CallsCache, 'unindexedPaths' | 'pageRanges'>
  clock: () => Micros
  /** Object versions through which a selection must not read. */
  deletedVersions: DeletedVersions
  /** Tables behind refs to rows. */
  findTables: FindTables
  /** Calls of annotation queues that a selection names. */
  callsOfQueues: CallsOfQueues
}

/** What a query names beside calls, as it was when the selection began. */
type NamedRecords = Pick<StatementInput, 'deletedVersions' | 'tables' | 'queueCalls'>

/** A selection that was compiled, and what it names: the same for all its statements. */
interface PreparedSelection {
  project: ProjectScope
  query: CompiledCallsQuery
  named: NamedRecords
}

/** How calls are selected. The query of a selection is compiled once, whatever ranges of time and blocks it is asked in. */
export function sqlCallSelectionStore(deps: CallSelectionDeps): Pick<CallsStore, 'select' | 'findWritten' | 'count' | 'storageOf'> {
  const { analytical, cache, clock, deletedVersions, findTables, callsOfQueues } = deps

  async function prepare(project: ProjectScope, selection: CallsSelection): Promise<PreparedSelection> {
    const query = compileCallsQuery({ project_id: project.id, ...selection })
    const queueCalls = query.queues.length === 0 ? undefined : await callsOfQueues(project, query.queues)
    const readsThroughRefs = (selection.expand_columns ?? []).length > 0
    return { project, query, named: { queueCalls, ...(readsThroughRefs && (await readReferences(project, query))) } }
  }

  async function readReferences(project: ProjectScope, query: CompiledCallsQuery): Promise<NamedRecords> {
    const places = query.tablePlaces(maxTablePlaces + 1)
    const tables = places && (await findTables(project, await readPlaces(project, places)))
    return { deletedVersions: await deletedVersions(project), tables }
  }

  async function readPlaces(project: ProjectScope, statement: Sql): Promise<string[]> {
    const places = await analytical.of(project).rows<TablePlaceRow>(statement)
    if (places.length > maxTablePlaces)
      throw badRequest(`expand_columns lead to rows of more than ${maxTablePlaces} datasets: expand fewer columns`)
    return places.map(({ table_place }) => table_place)
  }

  async function statementOf({ project, query, named }: PreparedSelection, started?: StartRange): Promise<StatementInput> {
    const probed = await probe(project, query, started)
    return { now: clock(), started, probed, ...named }
  }

  async function probe(project: ProjectScope, query: CompiledCallsQuery, started?: StartRange): Promise<ProbeRow | undefined> {
    const statement = query.probe(started)
    if (statement === undefined) return undefined
    const mayBeUnindexed = cache.unindexedPaths.of(project.id)
    if (mayBeUnindexed !== undefined) return { unindexed: query.unindexedEntries.map((entries) => Number(mayBeUnindexed(entries))) }
    return (await analytical.of(project).rows<ProbeRow>(statement))[0]
  }

  /** The keys of one page or block, from the range of time where it probably lies, or else from all of time. */
  async function findBlock(prepared: PreparedSelection, block: CallsSelection): Promise<CallKey[]> {
    const { project, query } = prepared
    const { ranges, record } = cache.pageRanges.of(project.id, block)
    let keys: CallKey[] = []
    for (const range of [...ranges, undefined]) {
      const statement = query.keys(await statementOf(prepared, range), block)
      keys = await analytical.of(project).rows<CallKey>(statement)
      if (keys.length === block.limit) break
    }
    record(keys)
    return keys
  }

  return {
    async select(project, selection) {
      const prepared = await prepare(project, selection)
      const total = selection.limit ?? Number.POSITIVE_INFINITY
      const start = selection.offset ?? 0
      const blockAt = (found: number) =>
        findBlock(prepared, { ...selection, limit: Math.min(blockSize, total - found), offset: start + found })
      const first = await blockAt(0)
      return (async function* () {
        let found = first.length
        for (let block = first; block.length > 0; found += block.length) {
          yield block
          if (block.length < blockSize || found >= total) return
          block = await blockAt(found)
        }
      })()
    },

    async findWritten(project, { filter, query, started, ...range }) {
      const prepared = await prepare(project, { filter, query, sort_by: null, limit: null, offset: null, expand_columns: null })
      const [written] = await analytical.of(project).rows<WrittenStarts>(prepared.query.writtenStarts(started, range))
      if (written === undefined || written.versions === 0) return []
      // What was written lately mostly started lately: the rest of the calls is then not read.
      const statement = prepared.query.written(await statementOf(prepared, { from: written.first, until: written.last }), range)
      return analytical.of(project).rows<CallKey>(statement)
    },

    async count(project, selection) {
      const prepared = await prepare(project, selection)
      const statement = prepared.query.count(await statementOf(prepared))
      const [row] = await analytical.of(project).rows<{ count: number }>(statement)
      return row?.count ?? 0
    },

    async storageOf(project, selection) {
      const prepared = await prepare(project, selection)
      const statement = prepared.query.storage(await statementOf(prepared))
      const [row] = await analytical.of(project).rows<{ bytes: number | null }>(statement)
      return row?.bytes ?? 0
    },
  }
}
