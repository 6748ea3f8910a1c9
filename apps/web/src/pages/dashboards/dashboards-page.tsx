import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { LayoutDashboard, Plus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { useProject } from '../../lib/use-project.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageFooter, PageHead } from '../../ui/page.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { useDeleteDashboard } from './dashboard-head.tsx'
import { dashboardsQuery, maxDashboards } from './dashboard-queries.ts'
import { NewDashboard, TemplateButtons } from './new-dashboard.tsx'
import type { StoredDashboard } from './stored-dashboard.ts'

const route = getRouteApi('/$entity/$project/dashboards')
const none: readonly StoredDashboard[] = []

/** The dashboards of a project, and the way to create one. */
export function DashboardsPage() {
  const project = useProject()
  const { add } = route.useSearch()
  const navigate = useNavigate()
  const query = useQuery(dashboardsQuery(project.id))
  const [isCreating, setIsCreating] = useState(false)
  const columns = useColumns()
  const canCreate = query.data?.hasMore === false
  return (
    <div data-flush="" className="flex h-full min-h-0 flex-col">
      <PageHead
        title="Dashboards"
        actions={
          <Button variant="primary" icon={Plus} disabled={!canCreate} onClick={() => setIsCreating(true)}>
            New dashboard
          </Button>
        }
      />
      {add && (
        <Notice
          className="m-4"
          title={`Choose a dashboard for “${readableName(add.title)}”, or create one`}
          actions={
            <ButtonLink to="/$entity/$project/dashboards" params={{ entity: project.entity, project: project.project }} search={{}}>
              Cancel
            </ButtonLink>
          }
        />
      )}
      {query.isError && <QueryProblem error={query.error} retry={() => void query.refetch()} />}
      <DataTable
        label="Dashboards"
        name="dashboards"
        rows={query.data?.dashboards ?? none}
        columns={columns}
        rowId={({ objectId }) => objectId}
        rowName={({ name }) => readableName(name)}
        onOpen={({ objectId: dashboard }) =>
          void navigate({ to: '/$entity/$project/dashboards/$dashboard', params: { ...project, dashboard }, search: { add } })
        }
        isLoading={query.isPending && !query.isError}
        empty={
          query.data && (
            <EmptyState icon={LayoutDashboard} title="No dashboards yet" actions={<TemplateButtons />}>
              Charts of traces, failures, latency, tokens, cost and feedback, for all members of the project.
            </EmptyState>
          )
        }
      />
      {query.data && (
        <PageFooter>
          {query.data.hasMore ? `The ${maxDashboards} dashboards that changed last` : countText(query.data.dashboards.length, 'dashboard')}
        </PageFooter>
      )}
      <NewDashboard isOpen={isCreating} add={add} onClose={() => setIsCreating(false)} />
    </div>
  )
}

function useColumns(): Column<StoredDashboard>[] {
  const { entity, project } = useProject()
  const { add } = route.useSearch()
  const remove = useDeleteDashboard()
  return useMemo(
    () => [
      {
        id: 'name',
        title: 'Name',
        width: 'minmax(180px, 2fr)',
        sort: ({ name }) => name,
        hint: ({ name }) => readableName(name),
        cell: ({ objectId, name }) => (
          <Link
            to="/$entity/$project/dashboards/$dashboard"
            params={{ entity, project, dashboard: objectId }}
            search={{ add }}
            className="font-medium"
          >
            {name}
          </Link>
        ),
      },
      {
        id: 'charts',
        title: 'Charts',
        width: '88px',
        align: 'right',
        cell: ({ isOtherForm, charts, unread }) => (isOtherForm ? '–' : charts.length + unread.length),
      },
      {
        id: 'by',
        title: 'Changed by',
        width: 'minmax(110px, 0.8fr)',
        hint: ({ savedBy }) => (savedBy === null ? undefined : readableName(savedBy)),
        cell: ({ savedBy }) => <span className="text-fg-2">{savedBy ?? '–'}</span>,
      },
      timeColumn('changed', 'Changed', ({ savedAt }) => savedAt),
      {
        id: 'actions',
        title: 'Actions',
        isTitleHidden: true,
        width: '44px',
        align: 'right',
        pin: 'right',
        cell: (dashboard) => (
          <IconButton icon={Trash2} label={`Delete the dashboard ${readableName(dashboard.name)}`} onClick={() => void remove(dashboard)} />
        ),
      },
    ],
    [entity, project, add],
  )
}
