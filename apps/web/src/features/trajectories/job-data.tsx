import type { JobTrajectoryGroup, TrainingJob } from '@heddle/core-api/types'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, TriangleAlert } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { MoreButton } from '../../ui/table/more-button.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { metricText } from '../curves/metric-name.ts'
import type { JobSearch } from '../training/training-search.ts'
import { meanOf, nameOfGroup, rangeOf, spreadOf, statisticsOf, viewGroups } from './group-statistics.ts'
import { TrajectoryCards } from './group-trajectories.tsx'
import { RewardBins } from './reward-bins.tsx'
import { ShowJobGroups } from './show-job-groups.tsx'
import { SortGroups } from './sort-groups.tsx'
import { jobTrajectoriesQuery } from './trajectory-queries.ts'
import { TrajectoryView } from './trajectory-view.tsx'

const binsHeight = 104
const text = (value: number) => metricText('reward', value)

interface Properties {
  job: TrainingJob
  search: JobSearch
  onChange: (changed: Partial<JobSearch>) => void
}

/** Training data of a job of reinforcement learning, in the width of a pane: rewards, one group, and one of its trajectories. */
export function JobData({ job, search, onChange }: Properties) {
  return (
    <ShowJobGroups job={job}>
      {(groups) =>
        groups.length === 0 ? (
          <p className="p-4 text-fg-3">No groups at this step</p>
        ) : (
          <Groups job={job} groups={groups} search={search} onChange={onChange} />
        )
      }
    </ShowJobGroups>
  )
}

function Groups({ job, groups, search, onChange }: Properties & { groups: readonly JobTrajectoryGroup[] }) {
  const { bin, order = 'spread', group: place } = search
  const project = useProject()
  const rewards = useMemo(() => groups.flatMap((group) => group.rewards), [groups])
  const range = useMemo(() => rangeOf(rewards, bin), [rewards, bin])
  const shown = useMemo(() => viewGroups(groups, { order, range }), [groups, order, range])
  const { withoutSpread, truncated } = statisticsOf(groups, job.parent_step)
  const found = shown.findIndex((one) => one.group === place)
  const at = found < 0 ? 0 : found
  const group = shown[at]
  const go = (to: number) => {
    const next = shown[to]
    if (next) onChange({ group: next.group })
  }
  return (
    <>
      <div className="border-b border-line px-2 pt-2">
        <div className="flex flex-wrap items-center gap-2 px-2 text-xs">
          <h3 className="font-medium">Reward</h3>
          <span className="num whitespace-nowrap text-fg-3">
            mean {text(meanOf(rewards))}, sd {text(spreadOf(rewards))}
          </span>
          <span className="grow" />
          {withoutSpread > 0 && <Badge>{withoutSpread.toLocaleString('en')} without spread</Badge>}
          {truncated > 0 && (
            <Badge tone="amber" icon={TriangleAlert}>
              {truncated.toLocaleString('en')} cut off
            </Badge>
          )}
        </div>
        <RewardBins rewards={rewards} height={binsHeight} chosen={range && bin} onChoose={(next) => onChange({ bin: next })} />
      </div>
      {group && (
        <>
          <div className="flex items-center gap-2 px-4 pt-3 pb-2">
            <h3 className="min-w-0 truncate font-semibold" data-cut="" data-tip={nameOfGroup(group)}>
              <Link
                to="/$entity/$project/training/jobs/$job/groups/$group"
                params={{ ...project, job: job.id, group: String(group.group) }}
                className="hover:underline"
              >
                {nameOfGroup(group)}
              </Link>
            </h3>
            <span className="num shrink-0 text-xs text-fg-3">
              {at + 1} of {shown.length.toLocaleString('en')}
            </span>
            <span className="grow" />
            <IconButton label="Previous group" icon={ChevronLeft} disabled={at === 0} onClick={() => go(at - 1)} />
            <IconButton label="Next group" icon={ChevronRight} disabled={at + 1 >= shown.length} onClick={() => go(at + 1)} />
            <SortGroups order={order} onChange={onChange} />
          </div>
          <OneGroup key={group.id} job={job.id} group={group.group} search={search} onChange={onChange} />
        </>
      )}
    </>
  )
}

interface GroupProperties {
  job: string
  group: number
  search: JobSearch
  onChange: (changed: Partial<JobSearch>) => void
}

/** The trajectories of a group, and one of them whole. */
function OneGroup({ job, group, search, onChange }: GroupProperties) {
  const hasTokens = search.tokens !== 'off'
  const [chosen, setChosen] = useState(0)
  const query = useInfiniteQuery(jobTrajectoriesQuery(job, group, hasTokens))
  return (
    <ShowQuery
      query={{ ...query, data: query.data?.pages.flatMap(({ data }) => data) }}
      what="the trajectories of the group"
      className="px-4"
    >
      {(trajectories) => {
        const trajectory = trajectories[chosen]
        return (
          <div className="flex flex-col gap-4 px-4 pb-4">
            <TrajectoryCards trajectories={trajectories} chosen={chosen} onChoose={setChosen} />
            <MoreButton query={query}>Load more trajectories</MoreButton>
            {trajectory && (
              <TrajectoryView
                key={trajectory.id}
                trajectory={trajectory}
                number={chosen + 1}
                actions={
                  <Checkbox
                    label="Log-probabilities"
                    checked={hasTokens}
                    onChange={(isOn) => onChange({ tokens: isOn ? undefined : 'off' })}
                  />
                }
              />
            )}
          </div>
        )
      }}
    </ShowQuery>
  )
}
