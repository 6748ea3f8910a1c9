import type { EvalSummary } from '@heddle/core-api'
import { useQueries } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import type { ProjectName } from '../../../app/use-project.ts'
import type { MorePages } from '../../../components/more-button.tsx'
import { maxLines } from '../../../components/parallel-coordinates/axes-view.ts'
import type { AxisRow } from '../../../components/parallel-coordinates/axis.ts'
import { ParallelCoordinates } from '../../../components/parallel-coordinates/parallel-coordinates.tsx'
import { Pending } from '../../../components/pending.tsx'
import { QueryProblem } from '../../../components/query-problem.tsx'
import type { ListedRun } from '../list/listed-run.ts'
import { maxFields } from './model-fields.ts'
import { modelFieldsQuery } from './models-of-runs.ts'
import { modelsToRead } from './models-to-read.ts'
import { type FieldsOfModels, toRunAxes } from './run-axes.ts'

const route = getRouteApi('/$entity/$project/evaluations')

interface Properties {
  project: ProjectName
  /** The newest first. */
  runs: readonly ListedRun[]
  summaries: ReadonlyMap<string, EvalSummary>
  /** Whether summaries of these runs are still read. */
  isPending: boolean
  /** How many runs there are, in words; undefined while that is not known. */
  count: string | undefined
  more: MorePages
  /** Runs that one comparison takes. */
  maxCompared: number
}

/** Evaluation runs over the parameters of their models and their scores. Older pages of the list are read until as many are there as are drawn. */
export function RunsOverAxes({ project, runs, summaries, isPending, count, more, maxCompared }: Properties) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = more
  const mayRead = hasNextPage && runs.length < maxLines && !isFetchNextPageError
  useEffect(() => {
    if (mayRead && !isFetchingNextPage) void fetchNextPage()
  }, [mayRead, isFetchingNextPage, fetchNextPage])
  const models = useModels(project, runs)
  const { rows, offers, usual, parametersLeftOut } = useMemo(
    () => toRunAxes(runs, summaries, models.fields),
    [runs, summaries, models.fields],
  )
  const link = useCallback(
    ({ id, name }: AxisRow) => (
      <Link to="/$entity/$project/evaluations/runs/$run" params={{ entity: project.entity, project: project.project, run: id }}>
        {name}
      </Link>
    ),
    [project.entity, project.project],
  )
  return (
    <>
      {models.failed?.error && <QueryProblem error={models.failed.error} retry={() => void models.failed?.refetch()} />}
      {(mayRead || isPending || models.isPending) && <Pending what="runs, their scores and models" />}
      {parametersLeftOut > 0 && (
        <p className="notice">
          {parametersLeftOut.toLocaleString('en')} further parameters of the models are not offered; an axis can be any of the first{' '}
          {maxFields}.
        </p>
      )}
      <ParallelCoordinates
        noun="run"
        rows={rows}
        of={hasNextPage || runs.length > maxLines ? (count ?? `more than ${runs.length.toLocaleString('en')}`) : undefined}
        offers={offers}
        usual={usual}
        search={search}
        onChange={(part) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true })}
        link={link}
        onOpen={(run) => void navigate({ to: '/$entity/$project/evaluations/runs/$run', params: { ...project, run } })}
        actions={(kept) =>
          kept.length >= 2 && kept.length <= maxCompared ? (
            <Link
              to="/$entity/$project/evaluations/compare"
              params={project}
              search={{
                ids: kept
                  .map(({ id }) => id)
                  .toReversed()
                  .join(','),
              }}
            >
              Compare the {kept.length} kept runs, the oldest as the baseline
            </Link>
          ) : (
            <span className="muted">Keep two to {maxCompared} runs to compare them.</span>
          )
        }
      />
    </>
  )
}

/** Fields of the models of runs, as they are read. */
function useModels(project: ProjectName, runs: readonly ListedRun[]) {
  const groups = useMemo(() => modelsToRead(project, runs), [project.id, runs])
  return useQueries({ queries: groups.map((names) => modelFieldsQuery(project, names)), combine: combineModels })
}

const combineModels = (read: { data: FieldsOfModels | undefined; isPending: boolean; error: unknown; refetch: () => unknown }[]) => ({
  fields: new Map(read.flatMap(({ data }) => [...(data ?? [])])) as FieldsOfModels,
  isPending: read.some(({ isPending }) => isPending),
  failed: read.find(({ error }) => error !== null),
})
