import type { JobTrajectoryGroup, TrainingJob } from '@heddle/core-api/types'
import { useMemo } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { Button } from '../../ui/button.tsx'
import type { JobSearch } from '../training/training-search.ts'
import { type GroupStatistics, rangeOf, statisticsOf, viewGroups } from './group-statistics.ts'
import { GroupsTable } from './groups-table.tsx'
import { RewardBins } from './reward-bins.tsx'
import { ShowJobGroups } from './show-job-groups.tsx'
import { SortGroups } from './sort-groups.tsx'

/** In CSS pixels. */
const binsHeight = 148

interface Properties {
  job: TrainingJob
  search: JobSearch
  onChange: (changed: Partial<JobSearch>) => void
}

/** Training data of a job of reinforcement learning: rewards, and the groups behind them. */
export function JobGroups({ job, search, onChange }: Properties) {
  return (
    <section aria-label="Training data" className="flex min-h-0 grow flex-col">
      <ShowJobGroups job={job}>
        {(groups, hasMore) => <Groups job={job} groups={groups} hasMore={hasMore} search={search} onChange={onChange} />}
      </ShowJobGroups>
    </section>
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
        <p className="mt-0 px-2 pb-1 text-xs text-fg-2">{describe(groups.length, statisticsOf(groups, job.parent_step), hasMore)}</p>
        <RewardBins rewards={rewards} height={binsHeight} chosen={range && bin} onChoose={(next) => onChange({ bin: next })} />
      </div>
      <div className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-4">
        <SortGroups order={order} onChange={onChange} />
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
    ...(withoutSpread > 0 ? [`${countText(withoutSpread, 'group')} without spread`] : []),
    ...(truncated > 0 ? [`${truncated.toLocaleString('en')} cut off`] : []),
    ...(failed > 0 ? [`${failed.toLocaleString('en')} failed`] : []),
    lag === null ? 'policy versions not recorded' : lag === 0 ? 'on policy' : `at most ${countText(lag, 'step')} off policy`,
  ].join(' · ')
}
