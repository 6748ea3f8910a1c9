import { parseRef, type QueryExpression } from '@heddle/core-api'
import type { EvalSummary } from '@heddle/core-api/types'
import { runCallColumns } from '@heddle/evaluations'
import { evaluateOpNames } from '@heddle/trace-model'
import { infiniteQueryOptions, queryOptions, useQueries, type UseQueryResult } from '@tanstack/react-query'
import { client } from '../../../lib/server/client.ts'
import type { ProjectName } from '../../../lib/use-project.ts'
import { afterPosition, type Position } from '../../../features/calls/after-position.ts'
import { listRefreshMs, maxRuns, runPagesKey, summariesQuery } from '../../../features/evaluations/evaluation-queries.ts'
import { type ListedRun, toListedRun } from '../listed-run.ts'
import type { ListedCall } from '../../../features/evaluations/run-latency.ts'
import type { RunProgress } from './progress-text.ts'

/** Runs that a count counts. */
const maxCounted = 10_000
/** Running ones of a list whose progress is read. */
export const maxFollowed = 10

const newestFirst = [
  { field: 'started_at', direction: 'desc' as const },
  { field: 'id', direction: 'desc' as const },
]
const columns = [...runCallColumns, 'output']

/** Runs of a project in pages, the newest first. Each page continues after the last run of the one before, so that new runs move none twice into it. */
export const runPagesQuery = ({ id: project_id }: ProjectName) =>
  infiniteQueryOptions({
    queryKey: runPagesKey(project_id),
    initialPageParam: undefined as Position | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = afterPosition(undefined, pageParam)
      return readRuns(project_id, { limit: maxRuns, ...(query && { query }) }, signal)
    },
    getNextPageParam: (runs): Position | undefined => {
      const last = runs.length < maxRuns ? undefined : runs.at(-1)
      return last && { startedAt: last.started_at, id: last.id }
    },
    refetchInterval: ({ state }) => (state.data?.pages.some((runs) => runs.some(isRunning)) ? listRefreshMs : false),
  })

/** How many runs there are, up to a limit. */
export const runCountQuery = ({ id: project_id }: ProjectName) =>
  queryOptions({
    queryKey: ['evaluation-run-count', project_id],
    queryFn: ({ signal }) =>
      client.calls.queryStats({ project_id, filter: { op_names: evaluateOpNames(project_id) }, limit: maxCounted }, { signal }),
  })

/** Runs by their ids, the newest first; a call that is not a run is missing. */
export const listedRunsQuery = ({ id: project_id }: ProjectName, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['evaluation-runs-chosen', project_id, ids],
    queryFn: ({ signal }) => readRuns(project_id, { call_ids: [...ids] }, signal),
    enabled: ids.length > 0,
  })

interface RunsRequest {
  call_ids?: string[]
  limit?: number
  query?: QueryExpression
}

/** The newest first. */
async function readRuns(project_id: string, { call_ids, ...page }: RunsRequest, signal: AbortSignal): Promise<ListedRun[]> {
  const filter = { op_names: evaluateOpNames(project_id), ...(call_ids && { call_ids }) }
  const runs: ListedRun[] = []
  for await (const call of client.calls.streamQuery({ project_id, filter, columns, sort_by: newestFirst, ...page }, { signal }))
    runs.push(toListedRun(call as ListedCall))
  return runs
}

export const isRunning = ({ status }: ListedRun) => status === 'running'
/** The running ones whose progress is read. */
const followedOf = (runs: readonly ListedRun[]) => runs.filter(isRunning).slice(0, maxFollowed)

/** The server's totals of runs, read page by page, so that a further page does not reload the others. */
export function useSummaries(project: ProjectName, pages: readonly (readonly ListedRun[])[]) {
  return useQueries({
    queries: pages.map((runs) => ({
      ...summariesQuery(
        project,
        runs.map(({ id }) => id),
      ),
      refetchInterval: runs.some(isRunning) ? 2 * listRefreshMs : (false as const),
    })),
    combine: combineSummaries,
  })
}

type ReadSummaries = UseQueryResult<ReadonlyMap<string, EvalSummary>>

/** Outside of the hook, so that its result is stable until a summary changes. */
const combineSummaries = (read: ReadSummaries[]) => ({
  summaries: new Map<string, EvalSummary>(read.flatMap(({ data }) => [...(data ?? [])])),
  isPending: read.some(({ isPending }) => isPending),
  failed: read.find(({ error }) => error !== null),
})

/** How far the newest running ones among these are, by the id of the run. */
export const progressQuery = (
  { id: project_id }: ProjectName,
  runs: readonly ListedRun[],
  totals: ReadonlyMap<string, number> = new Map(),
) => {
  const followed = followedOf(runs)
  return queryOptions({
    queryKey: ['evaluation-progress', project_id, followed.map(({ id }) => id)],
    queryFn: async ({ signal }) => {
      const read = followed.map(async ({ id }) => {
        const { status } = await client.evaluations.status({ project_id, call_id: id }, { signal })
        return status.code === 'running' ? ([[id, status.completed_rows]] as const) : []
      })
      return new Map((await Promise.all(read)).flat())
    },
    select: (done) =>
      new Map(
        followed.flatMap(({ id, evaluation }): [string, RunProgress][] => {
          const rows = done.get(id)
          return rows === undefined ? [] : [[id, { done: rows, total: totals.get(evaluation ?? '') }]]
        }),
      ),
    enabled: followed.length > 0,
    refetchInterval: listRefreshMs,
  })
}

/**
 * Rows of the dataset of each evaluation that such a run names, times its trials, by its reference. Evaluations with an unknown dataset are missing.
 */
export const plannedRowsQuery = ({ id: project_id }: ProjectName, runs: readonly ListedRun[]) => {
  const evaluations = [
    ...new Set(followedOf(runs).flatMap(({ evaluation }) => (parseRef(evaluation ?? '')?.kind === 'object' ? (evaluation ?? []) : []))),
  ]
  return queryOptions({
    queryKey: ['evaluation-planned-rows', project_id, evaluations],
    queryFn: async ({ signal }) => {
      const { vals } = await client.refs.readBatch(
        { refs: evaluations.flatMap((ref) => [`${ref}/attr/dataset/attr/rows`, `${ref}/attr/trials`]) },
        { signal },
      )
      const digests = evaluations.map((_, at) => digestOf(vals[2 * at]))
      const known = [...new Set(digests.filter((digest) => digest !== undefined))]
      const { tables } =
        known.length === 0 ? { tables: [] } : await client.tables.queryStatsBatch({ project_id, digests: known }, { signal })
      const counts = new Map(tables.map(({ digest, count }) => [digest, count]))
      return new Map(
        evaluations.flatMap((ref, at): [string, number][] => {
          const [rows, trials] = [counts.get(digests[at] ?? ''), vals[2 * at + 1]]
          return rows === undefined ? [] : [[ref, rows * (typeof trials === 'number' && trials >= 1 ? trials : 1)]]
        }),
      )
    },
    enabled: evaluations.length > 0,
    staleTime: Infinity,
  })
}

/** The digest at the end of a reference to a table. */
const digestOf = (ref: unknown) => (typeof ref === 'string' ? ref.split('/').at(-1) : undefined)
