import { bind, type DeletingAnalytical, deletedCallsTable, rowEncoder, sql, type Sql } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { listedIds } from '../../query/visible-records.ts'
import type { SelectionPreparer } from '../../records/calls/read/prepare-selection.sql.ts'
import { digestsIn } from '../../query/digests-in.ts'
import type { ListedCallsStore } from './listed-calls-store.ts'
import type { ListPart } from './list-pages.ts'
import { namedList } from '../../deletions/lists.ts'
import { coversTraces, queryOfSelection } from './query-of-selection.ts'

/** A job waits for these statements, which may read all payloads of a project. */
export const longStatement = { maxSeconds: 3_600, isConsistent: true }
const manyIds = { ...longStatement, rowsAtOnce: 16_384 }

interface ListedCall {
  id: string
  trace_id: string
}

export interface ListedCallsDeps {
  analytical: DeletingAnalytical
  preparer: SelectionPreparer
}

export function sqlListedCallsStore({ analytical, preparer }: ListedCallsDeps): ListedCallsStore {
  async function insert(project: ProjectScope, deletion_id: string, calls: readonly ListedCall[]): Promise<void> {
    const encoder = rowEncoder(deletedCallsTable)
    const version = BigInt(Date.now()) * 1_000n
    for (const { id: call_id, trace_id } of calls) encoder.add({ project_id: project.id, deletion_id, call_id, trace_id, version })
    if (calls.length > 0) await analytical.insert(deletedCallsTable, encoder.finish())
  }

  /** Lists the calls that a statement answers, and resolves to their number. */
  async function listAll(project: ProjectScope, deletionId: string, statement: Sql): Promise<number> {
    let listed = 0
    for await (const block of analytical.of(project).blocks<ListedCall>(statement, manyIds)) {
      await insert(project, deletionId, block)
      listed += block.length
    }
    return listed
  }

  async function addNames(project: ProjectScope, deletionId: string, names: readonly string[]): Promise<void> {
    await insert(
      project,
      namedList(deletionId),
      names.map((id) => ({ id, trace_id: '' })),
    )
  }

  async function texts(project: ProjectScope, statement: Sql): Promise<string[]> {
    const rows = await analytical.of(project).rows<{ text: string }>(statement, longStatement)
    return rows.map(({ text }) => text)
  }

  async function count(project: ProjectScope, statement: Sql): Promise<number> {
    const [row] = await analytical.of(project).rows<{ count: number }>(statement, longStatement)
    return row?.count ?? 0
  }

  return {
    async check(project, selection) {
      await preparer.prepare(project, queryOfSelection(selection))
    },

    async listCalls(project, deletionId, selection) {
      const prepared = await preparer.prepare(project, queryOfSelection(selection))
      const places = prepared.query.places(await preparer.statementOf(prepared))
      const matching = sql`${callsOf(project)} AND (started_at, id) IN (${places})`
      const all = coversTraces(selection) ? sql`${callsOf(project)} AND trace_id IN (SELECT trace_id ${matching})` : matching
      await listAll(project, deletionId, sql`SELECT DISTINCT id, trace_id ${all}`)
      if (!coversTraces(selection)) while ((await listAll(project, deletionId, belowListed(project, deletionId))) > 0);
    },

    async listNamed(project, deletionId) {
      const payloads = sql`concat(inputs, ' ', output, ' ', attributes, ' ', summary, ' ', otel)`
      const each = sql`SELECT ${digestsIn(payloads)} AS name ${callsOf(project)} AND id IN (${listedIds(project.id, [deletionId])})`
      const named = sql`SELECT DISTINCT name AS id, '' AS trace_id FROM (${each})`
      await listAll(project, namedList(deletionId), named)
    },

    async addNamed(project, deletionId, names) {
      for await (const some of names) await addNames(project, deletionId, some)
    },

    count: (project, deletionId) =>
      count(project, sql`SELECT toFloat64(uniqExact(call_id)) AS count FROM (${listedIds(project.id, [deletionId])})`),

    ids: (project, listId, part) => texts(project, partOf(sql`call_id`, sql`FROM (${listedIds(project.id, [listId])}) WHERE 1`, part)),

    traceIds: (project, deletionId, part) => texts(project, partOf(sql`trace_id`, listedOf(project, deletionId), part)),

    allTraceIds: (project, part) =>
      texts(project, partOf(sql`trace_id`, sql`FROM heddle.calls WHERE project_id = ${bind('String', project.id)}`, part)),

    countAll: (project) => count(project, sql`SELECT toFloat64(uniqExact(id)) AS count ${callsOf(project)}`),

    async unlist(project, deletionId) {
      const lists = bind('Array(String)', [deletionId, namedList(deletionId)])
      await analytical.deleteRows(deletedCallsTable, sql`project_id = ${bind('String', project.id)} AND deletion_id IN ${lists}`)
    },
  }
}

/** All calls of a project, also those that no reader sees: an end without a start has an output. */
function callsOf(project: ProjectScope): Sql {
  return sql`FROM heddle.calls FINAL WHERE project_id = ${bind('String', project.id)}`
}

function listedOf(project: ProjectScope, deletionId: string): Sql {
  return sql`FROM heddle.deleted_calls WHERE project_id = ${bind('String', project.id)} AND deletion_id = ${bind('String', deletionId)}`
}

/** Calls below listed ones that are not listed yet. */
function belowListed(project: ProjectScope, deletionId: string): Sql {
  const parents = sql`SELECT trace_id, call_id ${listedOf(project, deletionId)}`
  const listed = listedIds(project.id, [deletionId])
  return sql`SELECT DISTINCT id, trace_id ${callsOf(project)} AND (trace_id, parent_id) IN (${parents}) AND id NOT IN (${listed})`
}

function partOf(column: Sql, rows: Sql, { after, limit }: ListPart): Sql {
  return sql`SELECT DISTINCT ${column} AS text ${rows} AND ${column} > ${bind('String', after)} ORDER BY text LIMIT ${bind('UInt64', limit)}`
}
