import {
  type DeletingAnalytical,
  type AnsweredRow,
  bind,
  callsTable,
  deletedCallsTable,
  join,
  rowDecoder,
  rowEncoders,
  serverWork,
  sql,
  type Sql,
  type TouchedTrace,
} from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Deletion } from '../../../deletions/deletions-store.ts'
import type { ProjectVisibility } from '../../../deletions/visibility.ts'
import { seen } from '../../../query/calls-query.ts'
import { listedIds } from '../../../query/visible-records.ts'
import { latestVersions } from '../row/latest-versions.ts'
import { isPossibleId } from '../row/version-lookup-store.sql.ts'
import { settleAgain } from '../settle/settle-traces-store.sql.ts'
import type { CallPosition, CallRemovalStore, NamedNode } from './call-removal-store.ts'
import type { HashedNode } from './marked-descendants.ts'

const place = rowDecoder(callsTable, ['id', 'started_at', 'trace_id', 'parent_id', 'version', 'is_deleted'])
const listedRows = rowEncoders(deletedCallsTable)
/** Nodes of one block of an answer. */
const manyNodes = { rowsAtOnce: 16_384, isConsistent: true }

type Halves = [number, number, number, number, number]

export function sqlCallRemovalStore(analytical: DeletingAnalytical, visibility: ProjectVisibility): CallRemovalStore {
  const visible = async (project: ProjectScope, traceIds: readonly string[]) => {
    const conditions = [...seen(project.id, await visibility.of(project)), sql`trace_id IN ${texts(traceIds)}`]
    return sql`FROM heddle.calls FINAL WHERE ${join(conditions, sql` AND `)}`
  }

  return {
    async tracesWithOtherRoots(project, traceIds, ids) {
      const nodes = await visible(project, traceIds)
      const isRoot = sql`(parent_id = '' OR sipHash64(trace_id, parent_id) NOT IN (SELECT sipHash64(trace_id, id) ${nodes}))`
      const rows = await analytical
        .of(project)
        .rows<{ trace_id: string }>(sql`SELECT DISTINCT trace_id ${nodes} AND id NOT IN ${texts(ids.filter(isPossibleId))} AND ${isRoot}`, {
          isConsistent: true,
        })
      return new Set(rows.map(({ trace_id }) => trace_id))
    },

    async *hashedNodes(project, traceIds, { ids, key }) {
      const given = sql`toUInt32(id IN ${texts(ids.filter(isPossibleId))})`
      const hashes = sql`[${halves(key, sql`id`)}, ${halves(key, sql`parent_id`)}, ${given}] AS halves`
      const statement = sql`SELECT ${hashes} ${await visible(project, traceIds)}`
      for await (const block of analytical.of(project).blocks<{ halves: Halves }>(statement, manyNodes))
        yield block.map(({ halves: [high, low, parentHigh, parentLow, isGiven] }): HashedNode => ({
          hash: [high, low],
          parent: [parentHigh, parentLow],
          isGiven: isGiven === 1,
        }))
    },

    async *namedNodes(project, traceIds, key) {
      const statement = sql`SELECT id, trace_id, [${halves(key, sql`id`)}] AS hash ${await visible(project, traceIds)}`
      yield* analytical.of(project).blocks<NamedNode>(statement, manyNodes)
    },

    async list(project, deletion_id, calls) {
      const encoder = listedRows()
      const version = BigInt(Date.now()) * 1_000n
      for (const { id: call_id, trace_id } of calls) encoder.add({ project_id: project.id, deletion_id, call_id, trace_id, version })
      await analytical.insert(deletedCallsTable, encoder.finish())
    },

    async unlist(project, deletionId) {
      const own = sql`project_id = ${bind('String', project.id)} AND deletion_id = ${bind('String', deletionId)}`
      await analytical.deleteRows(deletedCallsTable, own)
    },

    remaining(project, deletion, { after, limit }) {
      const later =
        after === null
          ? []
          : [
              sql`started_at >= ${time(after.started_micros)}`,
              sql`(started_at > ${time(after.started_micros)} OR id > ${bind('String', after.id)})`,
            ]
      return analytical.of(project).rows<CallPosition>(
        sql`SELECT toFloat64(toUnixTimestamp64Micro(started_at)) AS started_micros, id FROM heddle.calls FINAL
          WHERE ${join([...callsOf(project, deletion), ...later], sql` AND `)} ORDER BY started_at, id LIMIT ${bind('UInt64', limit)}`,
        { isConsistent: true },
      )
    },

    async placesOf(project, deletion, part) {
      const [first, last] = [part[0], part.at(-1)]
      if (first === undefined || last === undefined) return []
      const ids = new Set(part.map(({ id }) => id))
      const range = [sql`started_at >= ${time(first.started_micros)}`, sql`started_at <= ${time(last.started_micros)}`]
      const statement = sql`SELECT ${place.select} FROM heddle.calls WHERE ${join([...callsOf(project, deletion), ...range], sql` AND `)}`
      const found: ReturnType<typeof place.decode>[] = []
      for await (const block of analytical.of(project).blocks<AnsweredRow>(statement, manyNodes)) {
        for (const row of block) {
          const each = place.decode(row)
          if (ids.has(each.id)) found.push(each)
        }
      }
      return [...latestVersions(found, ({ id }) => id).values()]
    },

    async settle(project, traceIds) {
      const own = analytical.of(serverWork)
      const touched = await own.rows<Omit<TouchedTrace, 'project_id'>>(rangesOf(project, traceIds))
      const store = { ...own, insert: analytical.insert, isShared: false }
      await settleAgain(
        store,
        touched.map((trace) => ({ ...trace, project_id: project.id })),
      )
    },
  }
}

/** The conditions of the calls of a deletion, whether readers would see them or not. */
function callsOf(project: ProjectScope, { id, whole_traces, part_traces, request }: Deletion): Sql[] {
  const ofProject = sql`project_id = ${bind('String', project.id)}`
  if (request !== null) return request.selection.kind === 'project' ? [ofProject] : [ofProject, sql`id IN (${listedIds(project.id, [id])})`]
  const whole = whole_traces.length === 0 ? [] : [sql`trace_id IN ${texts(whole_traces)}`]
  const parts = part_traces.length === 0 ? [] : [sql`(trace_id IN ${texts(part_traces)} AND id IN (${listedIds(project.id, [id])}))`]
  return [ofProject, sql`(${join([...whole, ...parts, sql`0`], sql` OR `)})`]
}

/** The times of all versions of the calls of traces, and of the rows derived from them. */
function rangesOf(project: Pick<ProjectScope, 'id'>, traceIds: readonly string[]): Sql {
  const own = sql`project_id = ${bind('String', project.id)} AND trace_id IN ${texts(traceIds)}`
  return sql`SELECT trace_id, toFloat64(toUnixTimestamp64Micro(min(first_start))) AS from, toFloat64(toUnixTimestamp64Micro(max(last_start))) AS until FROM (
      SELECT trace_id, started_at AS first_start, started_at AS last_start FROM heddle.calls WHERE ${own}
      UNION ALL SELECT trace_id, started_at AS first_start, last_start_at AS last_start FROM heddle.traces WHERE ${own}
    ) GROUP BY trace_id`
}

function texts(values: readonly string[]) {
  return bind('Array(String)', values)
}

/** The halves of a keyed hash: who does not know the key cannot make two ids with the same. */
function halves(key: number, column: Sql): Sql {
  const hash = sql`sipHash64Keyed((${bind('UInt64', key)}, toUInt64(0)), ${column})`
  return sql`toUInt32(bitShiftRight(${hash}, 32)), toUInt32(bitAnd(${hash}, 4294967295))`
}

function time(micros: number): Sql {
  return sql`fromUnixTimestamp64Micro(${bind('Int64', micros)})`
}
