import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { LayoutDashboard, Plus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { useProject } from '../../lib/use-project.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageFooter, PageHead } from '../../ui/page.tsx'
import { useDeleteDashboard } from './dashboard-head.tsx'
import { dashboardsQuery, maxDashboards } from './dashboard-queries.ts'
import { NewDashboard, TemplateButtons } from './new-dashboard.tsx'
import type { StoredDashboard } from './stored-dashboard.ts'

const route = getRouteApi('/$entity/$project/dashboards')

/** The dashboards of a project, and the way to create one. */
export function DashboardsPage() {
  const project = useProject()
  const { add } = route.useSearch()
  const query = useQuery(dashboardsQuery(project.id))
  const [isCreating, setIsCreating] = useState(false)
  const canCreate = query.data?.hasMore === false
  return (
    <>
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
          className="mb-4"
          title={`Choose a dashboard for “${readableName(add.title)}”, or create one`}
          actions={
            <ButtonLink to="/$entity/$project/dashboards" params={{ entity: project.entity, project: project.project }} search={{}}>
              Cancel
            </ButtonLink>
          }
        />
      )}
      <ShowQuery query={query} what="dashboards">
        {({ dashboards, hasMore }) =>
          dashboards.length === 0 ? (
            <EmptyState icon={LayoutDashboard} title="No dashboards yet" actions={<TemplateButtons />}>
              Charts of traces, failures, latency, tokens, cost and feedback, for all members of the project.
            </EmptyState>
          ) : (
            <>
              <div className="overflow-hidden rounded-lg border border-line">
                <Dashboards dashboards={dashboards} />
              </div>
              <PageFooter>
                {hasMore ? `The ${maxDashboards} dashboards that changed last` : countText(dashboards.length, 'dashboard')}
              </PageFooter>
            </>
          )
        }
      </ShowQuery>
      <NewDashboard isOpen={isCreating} add={add} onClose={() => setIsCreating(false)} />
    </>
  )
}

function Dashboards({ dashboards }: { dashboards: readonly StoredDashboard[] }) {
  const { entity, project } = useProject()
  const { add } = route.useSearch()
  const remove = useDeleteDashboard()
  const columns = useMemo(
    (): ListColumn<StoredDashboard>[] => [
      {
        id: 'name',
        header: 'Name',
        cell: ({ objectId, name }) => (
          <Link
            to="/$entity/$project/dashboards/$dashboard"
            params={{ entity, project, dashboard: objectId }}
            search={{ add }}
            data-cut=""
            data-tip={readableName(name)}
            className="block truncate leading-6 font-medium hover:underline"
          >
            {name}
          </Link>
        ),
      },
      {
        id: 'charts',
        header: 'Charts',
        width: '72px',
        align: 'right',
        cell: ({ isOtherForm, charts, unread }) => (isOtherForm ? '–' : charts.length + unread.length),
      },
      { id: 'changed', header: 'Changed', width: '128px', cell: ({ savedAt }) => <TimeInColumn value={savedAt} /> },
      {
        id: 'by',
        header: 'By',
        width: '20%',
        cell: ({ savedBy }) => (
          <span data-cut="" data-tip={savedBy === null ? undefined : readableName(savedBy)} className="block truncate text-fg-2">
            {savedBy ?? '–'}
          </span>
        ),
      },
      {
        id: 'actions',
        header: <span className="sr-only">Actions</span>,
        width: '56px',
        align: 'right',
        cell: (dashboard) => (
          <IconButton icon={Trash2} label={`Delete the dashboard ${readableName(dashboard.name)}`} onClick={() => void remove(dashboard)} />
        ),
      },
    ],
    [entity, project, add],
  )
  return <ListTable label="Dashboards" edge={false} rows={dashboards} columns={columns} rowId={({ objectId }) => objectId} />
}
