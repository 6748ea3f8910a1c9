import type { EvalResultsRow, EvalSummary } from '@heddle/core-api/types'
import { type EvaluationRun, type RunCall, runCallColumns, toEvaluationRun } from '@heddle/evaluations'
import { evaluateOpNames } from '@heddle/trace-model'
import { queryOptions } from '@tanstack/react-query'
import { client, exactClient } from '../../lib/server/client.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import type { RowsCondition } from './rows-filter.ts'
import { rowsOfRequest } from './rows-of-request.ts'
import type { ListedCall } from './run-latency.ts'
import { minutesWithoutNews, type News } from './silence.ts'

/** Number of runs on a page of the list, and of rows of a run or comparison, that are loaded at first. */
export const maxRuns = 50
export const rowsAtOnce = 5_000
const queryTimeoutMs = 300_000
/** Polling interval of the page of a running run, and of a list of runs. */
export const refreshMs = 2_000
export const listRefreshMs = 5_000

/** Key of the runs of a project in pages: what a new run changes. */
export const runPagesKey = (project_id: string) => ['evaluation-run-pages', project_id] as const

/** The newest runs, newest first, both from SDKs and from the server, since each is a call of one op. */
export const runsQuery = ({ id }: ProjectName) =>
  queryOptions({
    queryKey: ['evaluation-runs', id],
    queryFn: async ({ signal }) => {
      const runs = (await readRunCalls({ id }, signal)).map(toEvaluationRun)
      return { runs: runs.slice(0, maxRuns), hasMore: runs.length > maxRuns }
    },
    refetchInterval: ({ state }) => (state.data?.runs.some(({ status }) => status === 'running') ? listRefreshMs : false),
  })

/** The calls of the newest runs, newest first; one more than a list holds where there are more. */
export function readRunCalls({ id }: Pick<ProjectName, 'id'>, signal: AbortSignal): Promise<ListedCall[]> {
  const sort_by = [{ field: 'started_at', direction: 'desc' as const }]
  const columns = [...runCallColumns, 'output']
  return readCalls(id, { filter: { op_names: evaluateOpNames(id) }, columns, sort_by, limit: maxRuns + 1 }, signal)
}

/** Runs of a list whose silence is measured. */
const maxQuietRuns = 10

/** Minutes for which the newest running ones among these have had no news, where those are many. */
export const silenceQuery = ({ id: project_id }: ProjectName, runs: readonly EvaluationRun[]) => {
  const now = Date.now()
  const running = runs.filter((run) => run.status === 'running' && minutesWithoutNews([run], now) !== undefined).slice(0, maxQuietRuns)
  return queryOptions({
    queryKey: ['evaluation-silence', project_id, running.map(({ id }) => id)],
    queryFn: async ({ signal }) => {
      const sort_by = [{ field: 'started_at', direction: 'desc' as const }]
      const silence = new Map<string, number>()
      for (const run of running) {
        const newest = { project_id, filter: { parent_ids: [run.id] }, columns: ['started_at', 'ended_at'], sort_by, limit: 1 }
        const news: News[] = [run]
        for await (const call of client.calls.streamQuery(newest, { signal })) news.push(call as News)
        const minutes = minutesWithoutNews(news, Date.now())
        if (minutes !== undefined) silence.set(run.id, minutes)
      }
      return silence
    },
    enabled: running.length > 0,
    refetchInterval: 60_000,
  })
}

/** Runs by their ids, in this order; deleted ones are missing. */
export const namedRunsQuery = ({ id }: ProjectName, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['evaluation-runs-by-id', id, ids],
    queryFn: async ({ signal }) => {
      const found = (await readCalls(id, { filter: { call_ids: [...ids] } }, signal)).map(toEvaluationRun)
      return ids.flatMap((one) => found.find((run) => run.id === one) ?? [])
    },
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'running') ? refreshMs : false),
  })

interface RunsQuery {
  filter: { op_names?: string[]; call_ids?: string[] }
  columns?: string[]
  sort_by?: { field: string; direction: 'asc' | 'desc' }[]
  limit?: number
}

async function readCalls(project_id: string, wanted: RunsQuery, signal: AbortSignal): Promise<RunCall[]> {
  const runs: RunCall[] = []
  const calls: AsyncIterable<RunCall> = client.calls.streamQuery({ project_id, columns: runCallColumns, ...wanted }, { signal })
  for await (const call of calls) runs.push(call)
  return runs
}

/** Begins the keys of the rows and of the totals of runs: what a score that is stored by hand changes. */
export const resultsKey = (project_id: string) => ['evaluation-results', project_id] as const

/** Rows that are counted. Default: all of each run. */
interface CountedRows {
  condition?: RowsCondition | undefined
  /** Only rows that every run has. */
  isShared?: boolean
}

/** The server's totals of each run, by its id. */
export const summariesQuery = (
  { entity, project, id }: ProjectName,
  ids: readonly string[],
  { condition, isShared = false }: CountedRows = {},
) =>
  queryOptions({
    queryKey: [...resultsKey(id), 'summaries', ids, isShared, JSON.stringify(condition)],
    queryFn: async ({ signal }) => {
      const counted = {
        include_rows: false,
        include_summary: true,
        include_costs: true,
        usage: 'counted' as const,
        summary_require_intersection: isShared,
      }
      const query = { entity, project, evaluation_call_ids: [...ids], ...counted, ...condition }
      const { summary } = await client.evalResults.query(query, { signal, timeoutMs: queryTimeoutMs })
      return new Map((summary?.evaluations ?? []).map((one): [string, EvalSummary] => [one.evaluation_call_id, one]))
    },
    enabled: ids.length > 0,
  })

export interface Results {
  rows: readonly EvalResultsRow[]
  /** Rows that there are. */
  total: number
}

/**
 * The rows of runs with the trials of each, at most `most`. Rows that were loaded for a smaller number are not loaded again. If there are none yet,
 * rows are shown as they arrive. Undefined as condition: all rows.
 */
export const resultsQuery = ({ entity, project, id }: ProjectName, ids: readonly string[], most: number, condition?: RowsCondition) => {
  const which = JSON.stringify(condition)
  const keyOf = (rows: number) => [...resultsKey(id), ids, rows, which] as const
  const queryKey = keyOf(most)
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client: queries }): Promise<Results> => {
      const known = queries.getQueryData<Results>(keyOf(most - rowsAtOnce))?.rows ?? []
      const before = queries.getQueryData<Results>(queryKey)
      const rows = new Map(known.map((row): [string, EvalResultsRow] => [row.row_digest, row]))
      for (let offset = known.length; ;) {
        const wanted = rowsOfRequest(before?.rows.length ? before.rows : [...rows.values()], ids.length)
        const page = { limit: Math.min(wanted, most - offset), offset, include_raw_data_rows: true, resolve_row_refs: true }
        const query = {
          entity,
          project,
          evaluation_call_ids: [...ids],
          include_costs: true,
          usage: 'counted' as const,
          ...page,
          ...condition,
        }
        const answer = await exactClient.evalResults.query(query, { signal, timeoutMs: queryTimeoutMs })
        for (const row of answer.rows) rows.set(row.row_digest, row)
        offset += page.limit
        const results = { rows: [...rows.values()], total: answer.total_rows }
        if (answer.rows.length === 0 || offset >= Math.min(answer.total_rows, most)) return results
        if (!before) queries.setQueryData(queryKey, results)
      }
    },
    // Thousands of rows would be compared with those of before, for nothing.
    structuralSharing: false,
    staleTime: 60_000,
    // Rows remain on the page while more are loaded.
    placeholderData: (before, query) => (isSame(query?.queryKey[2], ids) && query?.queryKey[4] === which ? before : undefined),
  })
}

const isSame = (one: unknown, other: readonly string[]) => Array.isArray(one) && one.join() === other.join()
