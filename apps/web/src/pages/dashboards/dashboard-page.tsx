import './dashboards.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { newId } from '../../components/new-id.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { type Chart, newChart } from './chart/chart.ts'
import { ChartCard } from './chart/chart-card.tsx'
import { ChartDialog } from './chart/chart-dialog.tsx'
import { DashboardBar } from './dashboard-bar.tsx'
import { dashboardQuery } from './dashboard-queries.ts'
import { EditChart } from './edit-chart.tsx'
import { moveChart, putChart } from './move-chart.ts'
import { SaveState } from './save-state.tsx'
import { type Dashboard, maxCharts, maxNameLength, type StoredDashboard } from './stored-dashboard.ts'
import { useDraft } from './use-draft.ts'

const route = getRouteApi('/$entity/$project/dashboards/$dashboard')
/** How often a page that is edited looks whether somebody else has saved a version. */
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
  const [asked, setAsked] = useState<{ chart: Chart; isNew: boolean }>()
  useEffect(() => {
    if (add === undefined || latest === null || latest.isOtherForm) return
    draft.begin(latest)
    if (hasRoom(latest)) setAsked({ chart: { ...add, id: newId() }, isNew: true })
    void navigate({ search: (before) => ({ ...before, add: undefined }), replace: true, ignoreBlocker: true })
  }, [])
  const isEdited = draft.draft !== undefined
  useQuery({ ...dashboardQuery(id, dashboard), enabled: isEdited, refetchInterval: lookMs })
  const shown = draft.draft?.dashboard ?? latest
  if (shown === null) return <NoDashboard />
  const { charts, unread } = shown
  const isFull = !hasRoom(shown)
  return (
    <>
      <h1>{shown.name}</h1>
      <DashboardBar
        latest={latest}
        draft={draft}
        range={range}
        canAdd={!isFull}
        onAdd={() => setAsked({ chart: newChart(newId()), isNew: true })}
      />
      {isEdited && (
        <div className="row">
          <label htmlFor="dashboard-name">Name</label>
          <input
            id="dashboard-name"
            maxLength={maxNameLength}
            value={shown.name}
            onChange={({ target }) => draft.change({ name: target.value })}
          />
        </div>
      )}
      <SaveState latest={latest} draft={draft} />
      {latest?.isOtherForm === true && (
        <p className="notice">
          This dashboard was saved by another version of Heddle, in a form that this one does not read. Update Heddle to see its charts.
        </p>
      )}
      {unread.length > 0 && <p className="notice">{unreadText(unread.length)}</p>}
      {isEdited && isFull && <p className="notice">A dashboard has at most {maxCharts} charts.</p>}
      {charts.length === 0 && latest?.isOtherForm !== true && (
        <Empty title="No charts yet">
          {isEdited ? 'Add a chart, then save the dashboard.' : 'Press Edit to add some.'} Each shows calls, failures, latency, tokens, cost
          or feedback over the time that is chosen above.
        </Empty>
      )}
      <ul className="dashboard" aria-label="Charts">
        {charts.map((chart, at) => (
          <li key={chart.id}>
            <ChartCard chart={chart} range={range}>
              {isEdited && (
                <EditChart
                  title={chart.title}
                  at={at}
                  count={charts.length}
                  onEdit={() => setAsked({ chart, isNew: false })}
                  onMove={(by) => draft.change({ charts: moveChart(charts, chart.id, by) })}
                  onRemove={() => draft.change({ charts: charts.filter((one) => one.id !== chart.id) })}
                />
              )}
            </ChartCard>
          </li>
        ))}
      </ul>
      {asked && (
        <ChartDialog
          chart={asked.chart}
          isNew={asked.isNew}
          onClose={() => setAsked(undefined)}
          onDone={(chart) => {
            draft.change({ charts: putChart(charts, chart) })
            setAsked(undefined)
          }}
        />
      )}
    </>
  )
}

function NoDashboard() {
  const { entity, project } = useProject()
  return (
    <>
      <h1>Dashboard</h1>
      <Empty title="Dashboard not found">
        It was deleted, or the address is incomplete.{' '}
        <Link to="/$entity/$project/dashboards" params={{ entity, project }}>
          All dashboards
        </Link>
      </Empty>
    </>
  )
}

const hasRoom = ({ charts, unread }: Dashboard) => charts.length + unread.length < maxCharts

const unreadText = (count: number) =>
  `${count === 1 ? 'One chart' : `${count} charts`} of this dashboard cannot be read here. What is stored of ${count === 1 ? 'it' : 'them'} stays when you save.`
