import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { LayoutDashboard, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { newId } from '../../lib/new-id.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { Input } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageFooter, PageHead } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type Chart, newChart } from '../../features/dashboard-charts/chart.ts'
import { ChartDialog } from './chart/chart-dialog.tsx'
import { ChartsGrid } from './charts-grid.tsx'
import { DashboardHead } from './dashboard-head.tsx'
import { dashboardQuery, dashboardsQuery } from './dashboard-queries.ts'
import { putChart } from './move-chart.ts'
import { NewDashboard } from './new-dashboard.tsx'
import { SaveProblems, SaveState } from './save-state.tsx'
import { type Dashboard, maxCharts, maxNameLength, type StoredDashboard } from './stored-dashboard.ts'
import { useDraft } from './use-draft.ts'

const route = getRouteApi('/$entity/$project/dashboards/$dashboard')
/** How often a page in edit mode checks whether another user has saved a version. */
const lookMs = 30_000

/** A dashboard: charts over one time. */
export function DashboardPage() {
  const { id } = useProject()
  const { dashboard } = route.useParams()
  const query = useQuery(dashboardQuery(id, dashboard))
  return (
    <ShowQuery query={query} what="the dashboard">
      {(latest) => <DashboardOf key={`${id} ${dashboard}`} latest={latest} />}
    </ShowQuery>
  )
}

function DashboardOf({ latest }: { latest: StoredDashboard | null }) {
  const { id } = useProject()
  const { dashboard } = route.useParams()
  const { range = '7d', add } = route.useSearch()
  const navigate = route.useNavigate()
  const draft = useDraft(id, latest)
  const [edited, setEdited] = useState<{ chart: Chart; isNew: boolean }>()
  useEffect(() => {
    if (add === undefined || latest === null || latest.isOtherForm) return
    draft.begin(latest)
    if (hasRoom(latest)) setEdited({ chart: { ...add, id: newId() }, isNew: true })
    void navigate({ search: (before) => ({ ...before, add: undefined }), replace: true, ignoreBlocker: true })
  }, [])
  const isEdited = draft.draft !== undefined
  useQuery({ ...dashboardQuery(id, dashboard), enabled: isEdited, refetchInterval: lookMs })
  const shown = draft.draft?.dashboard ?? latest
  if (shown === null) return <NoDashboard />
  const isFull = !hasRoom(shown)
  const addChart = () => setEdited({ chart: newChart(newId()), isNew: true })
  return (
    <div data-flush className="flex h-full min-h-0 flex-col">
      <DashboardHead title={shown.name} latest={latest} draft={draft} range={range} />
      <OtherDashboards shown={dashboard} name={shown.name} />
      {isEdited && (
        <div className="flex min-h-12 shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
          <Input
            aria-label="Name"
            className="w-64"
            maxLength={maxNameLength}
            value={shown.name}
            onChange={({ target }) => draft.change({ name: target.value })}
          />
          <Button icon={Plus} size="md" disabled={isFull} onClick={addChart}>
            Add chart
          </Button>
          {isFull && <span className="text-xs text-fg-3">{`At most ${maxCharts} charts`}</span>}
        </div>
      )}
      <PageFooter>
        <SaveState latest={latest} draft={draft} />
      </PageFooter>
      <div className="flex min-h-0 grow flex-col gap-4 overflow-auto p-4" tabIndex={0} role="region" aria-label="Dashboard">
        <SaveProblems latest={latest} draft={draft} />
        {latest?.isOtherForm === true && (
          <Notice tone="warning" title="This version of Heddle cannot read this dashboard">
            Update Heddle to see its charts.
          </Notice>
        )}
        {shown.unread.length > 0 && (
          <Notice tone="warning" title={unreadText(shown.unread.length)}>
            They stay as they are stored when you save.
          </Notice>
        )}
        {shown.charts.length === 0 && latest?.isOtherForm !== true && (
          <EmptyState
            icon={LayoutDashboard}
            title="No charts yet"
            actions={!isEdited && latest && <Button onClick={() => draft.begin(latest)}>Start editing</Button>}
          />
        )}
        <ChartsGrid
          charts={shown.charts}
          range={range}
          isEdited={isEdited}
          onEdit={(chart) => setEdited({ chart, isNew: false })}
          onChange={draft.changeCharts}
        />
      </div>
      {edited && (
        <ChartDialog
          chart={edited.chart}
          isNew={edited.isNew}
          onClose={() => setEdited(undefined)}
          onDone={(chart) => {
            draft.changeCharts((charts) => putChart(charts, chart))
            setEdited(undefined)
          }}
        />
      )}
    </div>
  )
}

/** All dashboards of the project as tabs. */
function OtherDashboards({ shown, name }: { shown: string; name: string }) {
  const project = useProject()
  const { range } = route.useSearch()
  const navigate = useNavigate()
  const [isCreating, setIsCreating] = useState(false)
  const { data } = useQuery(dashboardsQuery(project.id))
  const known = data?.dashboards ?? []
  const tabs = known.map((one) => ({ id: one.objectId, label: readableName(one.objectId === shown ? name : one.name) }))
  // The dashboard shown may be older than the listed ones, or just created.
  const all = tabs.some(({ id }) => id === shown) ? tabs : [{ id: shown, label: readableName(name) }, ...tabs]
  return (
    <>
      <Tabs
        label="Dashboards"
        value={shown}
        tabs={all}
        onChange={(dashboard) =>
          void navigate({ to: '/$entity/$project/dashboards/$dashboard', params: { ...project, dashboard }, search: { range } })
        }
        actions={
          <Button variant="ghost" icon={Plus} disabled={data?.hasMore !== false} onClick={() => setIsCreating(true)}>
            New dashboard
          </Button>
        }
      />
      <NewDashboard isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </>
  )
}

function NoDashboard() {
  const { entity, project } = useProject()
  return (
    <>
      <PageHead title="Dashboard" />
      <EmptyState
        icon={LayoutDashboard}
        title="Dashboard not found"
        actions={
          <ButtonLink to="/$entity/$project/dashboards" params={{ entity, project }}>
            All dashboards
          </ButtonLink>
        }
      >
        It was deleted, or the link is incomplete.
      </EmptyState>
    </>
  )
}

const hasRoom = ({ charts, unread }: Dashboard) => charts.length + unread.length < maxCharts

const unreadText = (count: number) =>
  count === 1 ? 'One chart of this dashboard cannot be read' : `${count} charts of this dashboard cannot be read`
