import type { EvalSummary } from '@heddle/core-api/types'
import { useQueries } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide-react'
import { useCallback, useEffect, useMemo } from 'react'
import type { ProjectName } from '../../../lib/use-project.ts'
import type { MorePages } from '../../../ui/table/more-button.tsx'
import { maxLines } from '../../../features/parallel-coordinates/axes-view.ts'
import type { AxisRow } from '../../../features/parallel-coordinates/axis.ts'
import { ParallelCoordinates } from '../../../features/parallel-coordinates/parallel-coordinates.tsx'
import { Pending } from '../../../ui/states/pending.tsx'
import { QueryProblem } from '../../../ui/states/query-problem.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { ListedRun } from '../listed-run.ts'
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
      <Link
        to="/$entity/$project/evaluations/runs/$run"
        params={{ entity: project.entity, project: project.project, run: id }}
        className="font-medium hover:underline"
      >
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
        <Notice
          title={`${parametersLeftOut.toLocaleString('en')} further parameters of the models are not offered; an axis can be any of the first ${maxFields}`}
        />
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
            <ButtonLink
              icon={GitCompareArrows}
              to="/$entity/$project/evaluations/compare"
              params={project}
              search={{
                ids: kept
                  .map(({ id }) => id)
                  .toReversed()
                  .join(','),
              }}
            >
              {`Compare the ${kept.length} kept runs`}
            </ButtonLink>
          ) : (
            <span className="text-fg-3">{`Keep two to ${maxCompared} runs to compare them.`}</span>
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
