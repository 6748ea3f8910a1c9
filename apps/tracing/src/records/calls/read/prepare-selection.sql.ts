import { badRequest } from '@heddle/core-api/internal'
import type { ScopedAnalytical, Sql } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import {
  compileCallsQuery,
  type CallsQueryInput,
  type CompiledCallsQuery,
  type ProbeRow,
  type StartRange,
  type StatementInput,
  type TablePlaceRow,
} from '../../../query/calls-query.ts'
import type { ProjectVisibility } from '../../../deletions/visibility.ts'
import type { CallsOfQueues } from '../../annotation-queues/items/calls-of-queues.ts'
import type { DeletedVersions } from '../../refs/deleted-versions.ts'
import type { FindTables } from '../../refs/find-tables.ts'
import type { CallsCache } from '../cache/calls-cache.ts'
import type { CallsSelection } from '../calls-store.ts'

/** Datasets and tables to whose rows the refs of one query may lead. */
const maxTablePlaces = 10_000

export interface SelectionDeps {
  analytical: ScopedAnalytical
  cache: Pick<CallsCache, 'unindexedPaths'>
  visibility: ProjectVisibility
  /** Object versions through which a selection must not read. */
  deletedVersions: DeletedVersions
  /** Tables behind refs to rows. */
  findTables: FindTables
  /** Calls of annotation queues that a selection names. */
  callsOfQueues: CallsOfQueues
}

/** Records other than calls that a query names, as they were when the selection began. */
type NamedRecords = Pick<StatementInput, 'deletedVersions' | 'tables' | 'queueCalls'>

/** A compiled selection and the records that it names: the same for all its statements. */
export interface PreparedSelection {
  project: ProjectScope
  query: CompiledCallsQuery
  named: NamedRecords
}

/** Reads the context of a selection's statements apart from the query. */
export interface SelectionPreparer {
  /** @throws 400 and 422 for a selection that the query language does not allow */
  prepare(project: ProjectScope, selection: CallsSelection & Pick<CallsQueryInput, 'ofTraces'>): Promise<PreparedSelection>
  /** Context for the calls that started in a range; absent: at any time. */
  statementOf(prepared: PreparedSelection, started?: StartRange): Promise<StatementInput>
}

export function createSelectionPreparer(deps: SelectionDeps): SelectionPreparer {
  const { analytical, cache, visibility, deletedVersions, findTables, callsOfQueues } = deps

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

  async function probe(project: ProjectScope, query: CompiledCallsQuery, started?: StartRange): Promise<ProbeRow | undefined> {
    const statement = query.probe(started)
    if (statement === undefined) return undefined
    const mayBeUnindexed = cache.unindexedPaths.of(project.id)
    if (mayBeUnindexed !== undefined) return { unindexed: query.unindexedEntries.map((entries) => Number(mayBeUnindexed(entries))) }
    return (await analytical.of(project).rows<ProbeRow>(statement))[0]
  }

  return {
    async prepare(project, selection) {
      const query = compileCallsQuery({ project_id: project.id, ...selection })
      const queueCalls = query.queues.length === 0 ? undefined : await callsOfQueues(project, query.queues)
      const readsThroughRefs = (selection.expand_columns ?? []).length > 0
      return { project, query, named: { queueCalls, ...(readsThroughRefs && (await readReferences(project, query))) } }
    },

    async statementOf({ project, query, named }, started) {
      return { ...(await visibility.of(project)), started, probed: await probe(project, query, started), ...named }
    },
  }
}
