import type { JobTrajectoryGroup } from '@heddle/core-api/types'
import { useMemo } from 'react'
import { useProject } from '../../lib/use-project.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { listText } from '../../lib/texts/list-text.ts'
import { metricText } from '../curves/metric-name.ts'
import { meanOf, nameOfGroup } from './group-statistics.ts'
import { linkColumn, numberColumn, textColumn } from '../../ui/table/column-kinds.tsx'

const shownRewards = 12
const text = (value: number) => metricText('reward', value)

interface Properties {
  job: string
  groups: readonly JobTrajectoryGroup[]
  /** Index of the group that is shown next to the list. */
  shown: number | undefined
  onShow: (group: number) => void
}

/** Groups of a job. A row is shown next to the list; its name links to all of its trajectories next to each other. */
export function GroupsTable({ job, groups, shown, onShow }: Properties) {
  const project = useProject()
  const columns = useMemo(() => columnsOf(job, project), [job, project])
  const marked = shown === undefined ? undefined : String(shown)
  return (
    <DataTable
      label="Groups"
      rows={groups}
      columns={columns}
      rowId={({ group }) => String(group)}
      rowName={nameOfGroup}
      active={marked}
      marked={marked}
      onActive={({ group }) => onShow(group)}
      empty={<p className="px-4 py-3 text-fg-3">No groups with this reward</p>}
    />
  )
}

const columnsOf = (job: string, project: ProjectName): readonly Column<JobTrajectoryGroup>[] => [
  linkColumn('group', 'Group', 'minmax(168px, 1.5fr)', nameOfGroup, ({ group }) => ({
    to: '/$entity/$project/training/jobs/$job/groups/$group',
    params: { ...project, job, group: String(group) },
  })),
  {
    id: 'spread',
    title: 'Spread',
    width: '88px',
    align: 'right',
    cell: ({ reward_std_dev: spread }) => (spread === 0 ? <span className="text-fg-3">0, equal</span> : text(spread)),
  },
  numberColumn('mean', 'Mean reward', '104px', ({ rewards }) => meanOf(rewards), { show: text }),
  textColumn('rewards', 'Rewards', 'minmax(160px, 2fr)', rewardsText, { look: 'quiet' }),
  numberColumn('cut', 'Cut off', '72px', ({ truncated }) => truncated),
  numberColumn('failed', 'Failed', '72px', ({ num_exceptions: failed }) => failed),
]

const rewardsText = ({ rewards }: JobTrajectoryGroup) => listText(rewards, shownRewards, text)
