import { isApiError } from '@heddle/core-api'
import type { JobTrajectoryGroup, TrainingJob } from '@heddle/core-api/types'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { useProject } from '../../lib/use-project.ts'
import { MoreButton } from '../../ui/table/more-button.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import type { JobSearch } from '../training/training-search.ts'
import { type GroupOrder, groupOrders } from '../training/group-orders.ts'
import { type GroupStatistics, rangeOf, statisticsOf, viewGroups } from './group-statistics.ts'
import { GroupsTable } from './groups-table.tsx'
import { RewardBins } from './reward-bins.tsx'
import { jobGroupsQuery } from './trajectory-queries.ts'

/** In CSS pixels. */
const binsHeight = 148
export const orderTitles: Record<GroupOrder, string> = { spread: 'Spread', reward: 'Lowest reward', request: 'Request order' }

interface Properties {
  job: TrainingJob
  search: JobSearch
  onChange: (changed: Partial<JobSearch>) => void
}

/** Training data of a job of reinforcement learning: rewards, and the groups behind them. */
export function JobGroups({ job, search, onChange }: Properties) {
  const query = useInfiniteQuery(jobGroupsQuery(job.id))
  const groups = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  if (isApiError(query.error) && query.error.status === 404) return <LoggedInstead job={job} />
  return (
    <section aria-label="Training data" className="flex min-h-0 grow flex-col">
      <ShowQuery query={{ ...query, data: groups }} what="the trajectories of the job" className="p-4">
        {(all) => <Groups job={job} groups={all} hasMore={query.hasNextPage} search={search} onChange={onChange} />}
      </ShowQuery>
      {query.hasNextPage && (
        <div className="shrink-0 px-4 py-2">
          <MoreButton query={query}>Load more groups</MoreButton>
        </div>
      )}
    </section>
  )
}

/** Shown if the trajectories of a job were removed. */
export function LoggedInstead({ job }: { job: TrainingJob }) {
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

function Groups({ job, groups, hasMore, search, onChange }: Properties & { groups: readonly JobTrajectoryGroup[]; hasMore: boolean }) {
  const { bin, order = 'spread', group: shownGroup } = search
  const rewards = useMemo(() => groups.flatMap((group) => group.rewards), [groups])
  const range = useMemo(() => rangeOf(rewards, bin), [rewards, bin])
  const shown = useMemo(() => viewGroups(groups, { order, range }), [groups, order, range])
  if (groups.length === 0) return <p className="p-4 text-fg-3">No trajectory groups in this job</p>
  return (
    <>
      <div className="shrink-0 px-2 pt-3">
        <p className="px-2 text-xs text-fg-2">{describe(groups.length, statisticsOf(groups, job.parent_step), hasMore)}</p>
        <RewardBins rewards={rewards} height={binsHeight} chosen={range && bin} onChoose={(next) => onChange({ bin: next })} />
      </div>
      <div className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-4">
        <Select
          inside
          label="Sort"
          value={order}
          onChange={(next) => onChange({ order: groupOrders.find((one) => one === next) })}
          choices={groupOrders.map((one) => ({ value: one, label: orderTitles[one] }))}
        />
        {range && (
          <>
            <span className="num text-xs text-fg-3">
              {shown.length.toLocaleString('en')} of {groups.length.toLocaleString('en')} groups
            </span>
            <Button variant="ghost" onClick={() => onChange({ bin: undefined })}>
              Show all
            </Button>
          </>
        )}
      </div>
      <div className="flex min-h-60 grow flex-col">
        <GroupsTable job={job.id} groups={shown} shown={shownGroup} onShow={(group) => onChange({ group })} />
      </div>
    </>
  )
}

function describe(groups: number, { trajectories, withoutSpread, truncated, failed, lag }: GroupStatistics, hasMore: boolean): string {
  return [
    `${hasMore ? 'First ' : ''}${countText(groups, 'group')} with ${countText(trajectories, 'trajectory', 'trajectories')}`,
    `${countText(withoutSpread, 'group')} without spread`,
    `${truncated.toLocaleString('en')} cut off`,
    `${failed.toLocaleString('en')} failed`,
    lag === null ? 'policy versions not recorded' : `at most ${countText(lag, 'step')} off policy`,
  ].join(' · ')
}
