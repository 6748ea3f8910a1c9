import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { ProjectName } from '../../../lib/use-project.ts'
import type { AxisRow } from '../../../features/parallel-coordinates/axis.ts'
import { ParallelCoordinates } from '../../../features/parallel-coordinates/parallel-coordinates.tsx'
import { ShowQuery } from '../../../ui/states/show-query.tsx'
import { unreadJobs, type CheckpointJob } from '../../../features/training/models-to-read.ts'
import { manyJobsQuery, maxJobs } from '../../../features/training/training-queries.ts'
import { toJobAxes } from './job-axes.ts'
import { Notice } from '../../../ui/notice.tsx'
import { type Metrics, useMetricsByModel } from '../../../features/training/metrics-by-model.ts'

const route = getRouteApi('/$entity/$project/training/jobs')

interface Properties {
  project: ProjectName
  models: readonly TrainedModel[]
}

/** The newest training jobs over their settings and metrics. */
export function JobsOverAxes({ project, models }: Properties) {
  return (
    <ShowQuery query={useQuery(manyJobsQuery(project))} what="training jobs and their settings">
      {({ jobs, hasMore }) => <JobLines project={project} models={models} jobs={jobs} hasMore={hasMore} />}
    </ShowQuery>
  )
}

function JobLines({ project, models, jobs, hasMore }: Properties & { jobs: readonly TrainingJob[]; hasMore: boolean }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const metrics = useMetricsOfJobs(jobs)
  const { rows, offers, usual } = useMemo(() => toJobAxes(jobs, models, metrics), [jobs, models, metrics])
  const unread = useMemo(() => unreadJobs(jobs, maxJobs), [jobs])
  const link = useCallback(
    ({ id, name }: AxisRow) => (
      <Link to="/$entity/$project/training/jobs/$job" params={{ entity: project.entity, project: project.project, job: id }}>
        {name}
      </Link>
    ),
    [project.entity, project.project],
  )
  return (
    <>
      {unread > 0 && <Notice title={`${unread.toLocaleString('en')} older jobs are shown without metrics`} />}
      <ParallelCoordinates
        noun="job"
        rows={rows}
        of={hasMore ? `more than ${jobs.length.toLocaleString('en')}` : undefined}
        offers={offers}
        usual={usual}
        search={search}
        onChange={(part) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true })}
        link={link}
        onOpen={(job) => void navigate({ to: '/$entity/$project/training/jobs/$job', params: { ...project, job }, search: {} })}
      />
    </>
  )
}

/** Metrics of the checkpoint that each job created, by the id of the job, as they are loaded. Jobs without known metrics are missing. */
function useMetricsOfJobs(jobs: readonly CheckpointJob[]): ReadonlyMap<string, Metrics> {
  const byModel = useMetricsByModel(jobs)
  return useMemo(
    () =>
      new Map(
        jobs.flatMap(({ id, model_id, step }) => {
          const metrics = step === null ? undefined : byModel.get(model_id)?.get(step)
          return metrics === undefined ? [] : [[id, metrics] as const]
        }),
      ),
    [jobs, byModel],
  )
}
