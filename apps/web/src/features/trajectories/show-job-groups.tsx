import { isApiError } from '@heddle/core-api'
import type { JobTrajectoryGroup, TrainingJob } from '@heddle/core-api/types'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Notice } from '../../ui/notice.tsx'
import { MoreButton } from '../../ui/table/more-button.tsx'
import { jobGroupsQuery } from './trajectory-queries.ts'

interface Properties {
  job: TrainingJob
  children: (groups: readonly JobTrajectoryGroup[], hasMore: boolean) => ReactNode
}

/** The trajectory groups of a job that are loaded. Where they were deleted, where those that were logged are. */
export function ShowJobGroups({ job, children }: Properties) {
  const query = useInfiniteQuery(jobGroupsQuery(job.id))
  const groups = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  if (isApiError(query.error) && query.error.status === 404) return <LoggedInstead job={job} />
  return (
    <>
      <ShowQuery query={{ ...query, data: groups }} what="the trajectories of the job" className="p-4">
        {(all) => children(all, query.hasNextPage)}
      </ShowQuery>
      {query.hasNextPage && (
        <div className="shrink-0 px-4 py-2">
          <MoreButton query={query}>Load more groups</MoreButton>
        </div>
      )}
    </>
  )
}

/** Shown if the trajectories of a job were removed. */
function LoggedInstead({ job }: { job: TrainingJob }) {
  const project = useProject()
  return (
    <Notice
      className="m-4"
      title="The trajectories of this job were deleted"
      actions={
        <Link
          to="/$entity/$project/training/models/$model/trajectories"
          params={{ ...project, model: job.model_id }}
          search={{ step: job.parent_step ?? undefined }}
          className="font-medium text-accent-text hover:underline"
        >
          Logged at step {job.parent_step ?? 0}
        </Link>
      }
    >
      The newest ten jobs of a model keep theirs. Logged ones may be the same.
    </Notice>
  )
}
