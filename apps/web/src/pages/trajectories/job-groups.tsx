import './trajectories.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type JobTrajectoryGroup, isApiError, type TrainingJob } from '@heddle/core-api'
import { useMemo } from 'react'
import { useProject } from '../../app/use-project.ts'
import { MoreButton } from '../../components/more-button.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { type GroupStatistics, rangeOf, statisticsOf, viewGroups } from './group-statistics.ts'
import { GroupsTable } from './groups-table.tsx'
import { RewardBins } from './reward-bins.tsx'
import { jobGroupsQuery } from './trajectory-queries.ts'

const route = getRouteApi('/$entity/$project/training/jobs/$job')

/** What a job of reinforcement learning learned from: rewards, and the groups behind them. */
export function JobGroups({ job }: { job: TrainingJob }) {
  const query = useInfiniteQuery(jobGroupsQuery(job.id))
  const groups = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  const isGone = isApiError(query.error) && query.error.status === 404
  return (
    <section aria-label="Trajectories">
      <h2>What it learned from</h2>
      {isGone ? (
        <LoggedInstead job={job} />
      ) : (
        <ShowQuery query={{ ...query, data: groups }} what="the trajectories of the job">
          {(all) => <Groups job={job} groups={all} hasMore={query.hasNextPage} />}
        </ShowQuery>
      )}
      <MoreButton query={query}>Read more groups</MoreButton>
    </section>
  )
}

function LoggedInstead({ job }: { job: TrainingJob }) {
  const project = useProject()
  return (
    <p className="empty">
      The trajectories of this job were deleted: only the newest ten jobs of a model keep theirs.{' '}
      <Link
        to="/$entity/$project/training/models/$model/trajectories"
        params={{ ...project, model: job.model_id }}
        search={{ step: job.parent_step ?? undefined }}
      >
        Those that were logged at step {job.parent_step ?? 0}
      </Link>{' '}
      may be the same.
    </p>
  )
}

function Groups({ job, groups, hasMore }: { job: TrainingJob; groups: readonly JobTrajectoryGroup[]; hasMore: boolean }) {
  const { bin, order = 'spread' } = route.useSearch()
  const navigate = route.useNavigate()
  const rewards = useMemo(() => groups.flatMap((group) => group.rewards), [groups])
  const range = useMemo(() => rangeOf(rewards, bin), [rewards, bin])
  const shown = useMemo(() => viewGroups(groups, { order, range }), [groups, order, range])
  if (groups.length === 0) return <p className="empty">This job was created without trajectory groups.</p>
  return (
    <>
      <p>{describe(groups.length, statisticsOf(groups, job.parent_step), hasMore)}</p>
      <RewardBins
        rewards={rewards}
        chosen={range && bin}
        onChoose={(next) => void navigate({ search: (before) => ({ ...before, bin: next }), replace: true })}
      />
      <GroupsTable
        job={job.id}
        groups={shown}
        of={groups.length}
        order={order}
        onOrder={(next) => void navigate({ search: (before) => ({ ...before, order: next }), replace: true })}
      />
    </>
  )
}

function describe(groups: number, { trajectories, withoutSpread, truncated, failed, lag }: GroupStatistics, hasMore: boolean): string {
  const count = (value: number, one: string, many: string) => `${value.toLocaleString('en')} ${value === 1 ? one : many}`
  return [
    `${hasMore ? 'The first ' : ''}${count(groups, 'group', 'groups')} with ${count(trajectories, 'trajectory', 'trajectories')}`,
    `${count(withoutSpread, 'group has', 'groups have')} equal rewards and ${withoutSpread === 1 ? 'teaches' : 'teach'} nothing`,
    `${count(truncated, 'trajectory was', 'trajectories were')} cut at the token limit`,
    `${count(failed, 'attempt', 'attempts')} failed`,
    lag === null
      ? 'policy versions were not recorded'
      : `sampled up to ${count(lag, 'step', 'steps')} before the weights that were trained`,
  ].join(' · ')
}
