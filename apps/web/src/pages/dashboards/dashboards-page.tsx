import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LayoutDashboard, Plus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { useProject, type ProjectName } from '../../lib/use-project.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { timeColumn, actionsColumn, linkColumn, numberColumn, textColumn } from '../../ui/table/column-kinds.tsx'
import { useDeleteDashboard } from './dashboard-head.tsx'
import { dashboardsQuery, maxDashboards } from './dashboard-queries.ts'
import { NewDashboard, TemplateButtons } from './new-dashboard.tsx'
import type { StoredDashboard } from './stored-dashboard.ts'
import type { Chart } from '../../features/dashboard-charts/chart.ts'
import { ListPage } from '../../ui/list-page.tsx'

const route = getRouteApi('/$entity/$project/dashboards')

/** The dashboards of a project, and the way to create one. */
export function DashboardsPage() {
  const project = useProject()
  const { add } = route.useSearch()
  const query = useQuery(dashboardsQuery(project.id))
  const [isCreating, setIsCreating] = useState(false)
  const columns = useColumns(project, add)
  return (
    <ListPage
      title="Dashboards"
      actions={
        <Button variant="primary" icon={Plus} disabled={query.data?.hasMore !== false} onClick={() => setIsCreating(true)}>
          New dashboard
        </Button>
      }
      above={
        add && (
          <Notice
            className="m-4"
            title={`Choose a dashboard for “${readableName(add.title)}”, or create one`}
            actions={
              <ButtonLink to="/$entity/$project/dashboards" params={project} search={{}}>
                Cancel
              </ButtonLink>
            }
          />
        )
      }
      label="Dashboards"
      name="dashboards"
      query={query}
      rows={query.data?.dashboards}
      columns={columns}
      rowId={({ objectId }) => objectId}
      rowName={({ name }) => readableName(name)}
      linkOf={(dashboard) => linkOfDashboard(project, dashboard, add)}
      empty={
        <EmptyState icon={LayoutDashboard} title="No dashboards yet" actions={<TemplateButtons />}>
          Charts of traces, failures, latency, tokens, cost and feedback, for all members of the project.
        </EmptyState>
      }
      footer={({ length }) => (query.data?.hasMore ? `The ${maxDashboards} dashboards that changed last` : countText(length, 'dashboard'))}
    >
      <NewDashboard isOpen={isCreating} add={add} onClose={() => setIsCreating(false)} />
    </ListPage>
  )
}

const linkOfDashboard = (project: ProjectName, { objectId: dashboard }: StoredDashboard, add: Chart | undefined) =>
  ({ to: '/$entity/$project/dashboards/$dashboard', params: { ...project, dashboard }, search: { add } }) as const

function useColumns(project: ProjectName, add: Chart | undefined): Column<StoredDashboard>[] {
  const remove = useDeleteDashboard()
  return useMemo(
    () => [
      linkColumn(
        'name',
        'Name',
        'minmax(180px, 2fr)',
        ({ name }) => name,
        (dashboard) => linkOfDashboard(project, dashboard, add),
        {
          sort: true,
        },
      ),
      numberColumn('charts', 'Charts', '88px', ({ isOtherForm, charts, unread }) =>
        isOtherForm ? undefined : charts.length + unread.length,
      ),
      textColumn('by', 'Changed by', 'minmax(110px, 0.8fr)', ({ savedBy }) => savedBy, { look: 'quiet' }),
      timeColumn('changed', 'Changed', ({ savedAt }) => savedAt),
      actionsColumn((dashboard) => (
        <IconButton icon={Trash2} label={`Delete the dashboard ${readableName(dashboard.name)}`} onClick={() => void remove(dashboard)} />
      )),
    ],
    [project.id, add],
  )
}
