import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { LoggedTrajectoryGroup } from '@heddle/core-api/types'
import { ListTree } from 'lucide-react'
import { useMemo } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { listText } from '../../lib/texts/list-text.ts'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { readAhead } from '../../ui/table/more-button.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Time } from '../../ui/time/time.tsx'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageFooter, PageHead } from '../../ui/page.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { metricText } from '../../features/curves/metric-name.ts'
import { modelQuery } from '../../features/training/training-queries.ts'
import { nameOfGroup } from '../../features/trajectories/group-statistics.ts'
import { GroupView } from './group-view.tsx'
import { LoggedFilterForm } from './logged-filter.tsx'
import { loggedGroupQuery, loggedGroupsQuery } from '../../features/trajectories/trajectory-queries.ts'
import { linkColumn, numberColumn, textColumn, timeColumn } from '../../ui/table/column-kinds.tsx'

const route = getRouteApi('/$entity/$project/training/models/$model/trajectories')

/** Rollouts of a model that were logged, by step and split. */
export function LoggedPage() {
  const { model } = route.useParams()
  const { group } = route.useSearch()
  return group === undefined ? <Groups model={model} /> : <OneGroup model={model} group={group} />
}

function useTrail(model: string) {
  const project = useProject()
  const name = useQuery(modelQuery(model)).data?.name
  return [
    <Link key="training/models" to="/$entity/$project/training/models" params={project}>
      Models
    </Link>,
    <Link key="model" to="/$entity/$project/training/models/$model" params={{ ...project, model }}>
      {name ?? 'Model'}
    </Link>,
  ]
}

function Groups({ model }: { model: string }) {
  const project = useProject()
  const { step, split } = route.useSearch()
  const query = useInfiniteQuery(loggedGroupsQuery(model, { step, split }))
  const groups = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  const columns = useMemo(() => columnsOf(project, model, { step, split }), [project, model, step, split])
  const isFiltered = step !== undefined || split !== undefined
  return (
    <div data-flush className="flex h-full min-h-0 flex-col">
      <PageHead trail={useTrail(model)} title="Logged trajectories" />
      <LoggedFilterForm key={`${step} ${split}`} step={step} split={split} />
      <ShowQuery query={{ ...query, data: groups }} what="the logged groups">
        {(rows) => (
          <>
            <DataTable
              label="Logged groups"
              rows={rows}
              columns={columns}
              rowId={({ id }) => id}
              rowName={nameOf}
              onEnd={() => readAhead(query)}
              empty={
                <EmptyState icon={ListTree} title={isFiltered ? 'No trajectories match' : 'No trajectories yet'}>
                  {isFiltered ? 'None were logged at this step and split.' : 'An agent logs its attempts with agent.log(split, groups).'}
                </EmptyState>
              }
            />
            <PageFooter>
              {countText(rows.length, 'group')}
              {query.hasNextPage && ' loaded'}
            </PageFooter>
          </>
        )}
      </ShowQuery>
    </div>
  )
}

const columnsOf = (
  project: ProjectName,
  model: string,
  filter: { step: number | undefined; split: string | undefined },
): readonly Column<LoggedTrajectoryGroup>[] => [
  linkColumn('group', 'Group', 'minmax(180px, 1fr)', nameOf, ({ id: group }) => ({
    to: '/$entity/$project/training/models/$model/trajectories',
    params: { ...project, model },
    search: { ...filter, group },
  })),
  textColumn('split', 'Split', '96px', ({ split }) => split),
  numberColumn('step', 'Step', '72px', ({ step }) => step),
  textColumn('rewards', 'Rewards', 'minmax(160px, 1.5fr)', rewardsText, { look: 'quiet' }),
  numberColumn('failed', 'Failed', '72px', ({ exceptions }) => exceptions.length),
  timeColumn('logged', 'Logged', ({ created_at }) => created_at, { sort: false }),
]

function OneGroup({ model, group }: { model: string; group: string }) {
  const project = useProject()
  const { trajectory, step, split } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(loggedGroupQuery(model, group))
  const trail = useTrail(model)
  return (
    <>
      <PageHead
        trail={[
          ...trail,
          <Link
            key="trajectories"
            to="/$entity/$project/training/models/$model/trajectories"
            params={{ ...project, model }}
            search={{ step, split }}
          >
            Logged trajectories
          </Link>,
        ]}
        title={query.data ? nameOf(query.data) : 'Group'}
        state={
          query.data && (
            <>
              <Badge>{query.data.split}</Badge>
              <span className="num text-xs text-fg-3">
                step {query.data.step}, <Time value={query.data.created_at} />
              </span>
            </>
          )
        }
      />
      <ShowQuery query={query} what="the logged group">
        {(found) =>
          found === null ? (
            <Notice tone="error" title={`Logged group ${group} not found in this model`} />
          ) : (
            <GroupView
              trajectories={found.trajectories}
              alone={trajectory === undefined ? undefined : trajectory - 1}
              onAlone={(alone) =>
                void navigate({
                  search: (before) => ({ ...before, trajectory: alone === undefined ? undefined : alone + 1 }),
                  replace: true,
                })
              }
            />
          )
        }
      </ShowQuery>
    </>
  )
}

const shownRewards = 12

const rewardsText = ({ trajectories }: LoggedTrajectoryGroup) =>
  listText(trajectories, shownRewards, ({ reward }) => metricText('reward', reward))

function nameOf({ id, metadata }: LoggedTrajectoryGroup): string {
  const name = nameOfGroup({ group: 0, metadata })
  return name === 'Group 1' ? `Group ${id.slice(0, 8)}` : name
}
