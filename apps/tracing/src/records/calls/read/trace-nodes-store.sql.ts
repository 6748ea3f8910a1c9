import { callsTable, rowDecoder, type Micros, type ScopedAnalytical } from '@heddle/datastore'
import type { CallNode } from '../../../query/calls-query.ts'
import type { CallsStore } from '../calls-store.ts'
import { createVersionLookup } from '../row/version-lookup-store.sql.ts'
import { noCallsFilter } from './no-calls-filter.ts'
import type { SelectionPreparer } from './prepare-selection.sql.ts'

const placeInTrace = rowDecoder(callsTable, ['project_id', 'id', 'version', 'is_deleted', 'has_start', 'expire_at', 'trace_id'])

/** Calls whose traces are looked up by one statement. */
const maxLookedUp = 50

/** How the calls of a trace are read without their payloads. */
export function sqlTraceNodesStore(
  analytical: ScopedAnalytical,
  { prepare, statementOf }: SelectionPreparer,
  clock: () => Micros,
): Pick<CallsStore, 'traceOf' | 'traceNodes'> {
  const lookUp = createVersionLookup(analytical, { row: placeInTrace, maxIds: maxLookedUp })
  return {
    async traceOf(project, id) {
      const call = (await lookUp(project, [id])).get(id)
      if (call === undefined || call.has_start === 0 || call.is_deleted === 1) return undefined
      return call.expire_at === 0 || call.expire_at > clock() ? call.trace_id : undefined
    },

    async traceNodes(project, { traceId, limit, texts }) {
      const filter = { ...noCallsFilter, trace_ids: [traceId] }
      const prepared = await prepare(project, { filter, texts, limit, query: null, sort_by: null, offset: null, expand_columns: null })
      return analytical.of(project).rows<CallNode>(prepared.query.nodes(await statementOf(prepared)))
    },
  }
}
