import type { TrainedModel, TrainingJob } from '@heddle/core-api'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { ProjectName } from '../../../app/use-project.ts'
import type { AxisRow } from '../../../components/parallel-coordinates/axis.ts'
import { ParallelCoordinates } from '../../../components/parallel-coordinates/parallel-coordinates.tsx'
import { ShowQuery } from '../../../components/show-query.tsx'
import { useMetricsOfJobs } from '../metrics-of-jobs.ts'
import { unreadJobs } from '../models-to-read.ts'
import { manyJobsQuery, maxJobs } from '../training-queries.ts'
import { toJobAxes } from './job-axes.ts'

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
      {unread > 0 && (
        <p className="notice">
          The metrics of {unread.toLocaleString('en')} jobs are not read: those of the newest checkpoints of the models that were trained
          last are.
        </p>
      )}
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
