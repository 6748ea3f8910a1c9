import {
  bind,
  callsTable,
  rowDecoder,
  sql,
  type AnsweredRow,
  type Micros,
  type RowDecoder,
  type ScopedAnalytical,
  type Sql,
} from '@heddle/datastore'
import { listedIds } from '../../../query/visible-records.ts'
import { payloadColumns, shownColumns, type CallColumns, type CallsStore, type PayloadColumn } from '../calls-store.ts'
import { type PricedCallColumns, toUsedIn } from '../row/call-facts.ts'
import { latestVersions } from '../row/latest-versions.ts'
import { createVersionLookup } from '../row/version-lookup-store.sql.ts'

/** A version of a call as a reader sees it, with all its payloads. */
const wholeCall = rowDecoder(callsTable, ['project_id', 'has_start', ...shownColumns, ...payloadColumns])
type WholeCall = ReturnType<typeof wholeCall.decode>

const noPayloads: Pick<CallColumns, PayloadColumn> = { attributes: null, inputs: null, output: null, summary: null, otel: null }

/** Calls that are read whole by one statement. */
const maxReadAtOnce = 50

/** How calls are read whose keys are known. */
export function sqlCallPagesStore(
  analytical: ScopedAnalytical,
  clock: () => Micros,
): Pick<CallsStore, 'readPage' | 'readUsedIn' | 'readOne' | 'isLatest' | 'isListed'> {
  const lookUp = createVersionLookup(analytical, { row: wholeCall, maxIds: maxReadAtOnce })
  return {
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

    async readUsedIn(project, calls) {
      if (calls.length === 0) return new Map()
      const starts = calls.map((call) => call.started_at)
      const found = await analytical.of(project).rows<PricedCallColumns & { id: string }>(
        sql`SELECT id, toString(kind_words) AS kind_words, toString(span_scope) AS span_scope, toString(service_tier) AS service_tier
          FROM heddle.calls FINAL WHERE project_id = ${bind('String', project.id)} AND started_at BETWEEN ${time(Math.min(...starts))} AND ${time(Math.max(...starts))}
          AND id IN ${bind(
            'Array(String)',
            calls.map((call) => call.id),
          )}`,
      )
      return new Map(found.map(({ id, ...columns }) => [id, toUsedIn(columns)]))
    },

    async readOne(project, id) {
      const call = (await lookUp(project, [id])).get(id)
      return call !== undefined && isLive(call, clock()) ? call : undefined
    },

    async isListed(project, id, deletions) {
      const found = await analytical
        .of(project)
        .rows(sql`SELECT 1 FROM (${listedIds(project.id, deletions)} AND call_id = ${bind('String', id)}) LIMIT 1`)
      return found.length > 0
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

/** True for a version that a reader sees. */
function isLive({ has_start, is_deleted, expire_at }: WholeCall, now: Micros): boolean {
  return has_start === 1 && is_deleted === 0 && (expire_at === 0 || expire_at > now)
}

function time(micros: number): Sql {
  return sql`fromUnixTimestamp64Micro(${bind('Int64', micros)})`
}
