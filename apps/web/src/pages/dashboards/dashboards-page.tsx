import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { readableName } from '../../components/readable-name.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { createDashboard, dashboardsQuery, deleteDashboard, maxDashboards } from './dashboard-queries.ts'
import { readyMade } from './ready-made.ts'
import { type Dashboard, maxNameLength, type StoredDashboard } from './stored-dashboard.ts'

const route = getRouteApi('/$entity/$project/dashboards')

/** The dashboards of a project, and the way to create one. */
export function DashboardsPage() {
  const project = useProject()
  const queries = useQueryClient()
  const navigate = route.useNavigate()
  const { add } = route.useSearch()
  const query = useQuery(dashboardsQuery(project.id))
  const create = useMutation({
    mutationFn: (dashboard: Dashboard) => createDashboard(queries, project.id, dashboard),
    onSuccess: (dashboard) =>
      navigate({ to: '/$entity/$project/dashboards/$dashboard', params: { ...project, dashboard }, search: { add } }),
  })
  const isFull = query.data?.hasMore ?? false
  return (
    <>
      <h1>Dashboards</h1>
      {add && (
        <p className="notice" role="status">
          Choose the dashboard to which “{add.title}” is added, or create one.{' '}
          <Link to="/$entity/$project/dashboards" params={{ entity: project.entity, project: project.project }} search={{}}>
            Add it to none
          </Link>
        </p>
      )}
      <ShowQuery query={query} what="dashboards">
        {({ dashboards, hasMore }) =>
          dashboards.length === 0 ? (
            <>
              <Empty title="No dashboards yet">
                A dashboard is a page of charts that you choose: of calls, failures, latency, tokens, cost and feedback. All members of the
                project see it.
              </Empty>
              <button type="button" className="primary" disabled={create.isPending} onClick={() => create.mutate(readyMade)}>
                Create a ready-made one
              </button>
            </>
          ) : (
            <>
              <Dashboards dashboards={dashboards} />
              {hasMore && <p className="notice">The {maxDashboards} dashboards that changed last are shown; there are more.</p>}
            </>
          )
        }
      </ShowQuery>
      <CreateDashboard
        isBusy={create.isPending || query.data === undefined || isFull}
        onCreate={(name) => create.mutate({ name, charts: [], unread: [] })}
      />
      <Failure error={create.error} before="The dashboard was not created." />
    </>
  )
}

function Dashboards({ dashboards }: { dashboards: readonly StoredDashboard[] }) {
  const { id, entity, project } = useProject()
  const { add } = route.useSearch()
  const queries = useQueryClient()
  const remove = useMutation({ mutationFn: ({ objectId }: StoredDashboard) => deleteDashboard(queries, id, objectId) })
  function askToDelete(dashboard: StoredDashboard) {
    if (window.confirm(`Delete the dashboard "${dashboard.name}" for all members of this project?`)) remove.mutate(dashboard)
  }
  return (
    <>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" className="number">
                Charts
              </th>
              <th scope="col">Last changed</th>
              <th scope="col">By</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {dashboards.map((dashboard) => (
              <tr key={dashboard.objectId}>
                <td>
                  <Link
                    to="/$entity/$project/dashboards/$dashboard"
                    params={{ entity, project, dashboard: dashboard.objectId }}
                    search={{ add }}
                  >
                    {dashboard.name}
                  </Link>
                </td>
                <td className="number">{dashboard.isOtherForm ? 'unknown' : dashboard.charts.length + dashboard.unread.length}</td>
                <td>
                  <Time value={dashboard.savedAt} />
                </td>
                <td>{dashboard.savedBy}</td>
                <td>
                  <button
                    type="button"
                    aria-label={`Delete the dashboard ${readableName(dashboard.name)}`}
                    disabled={remove.isPending}
                    onClick={() => askToDelete(dashboard)}
                  >
                    Delete
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Failure error={remove.error} before="The dashboard was not deleted." />
    </>
  )
}

/** The name stays where the dashboard was not created. */
function CreateDashboard({ isBusy, onCreate }: { isBusy: boolean; onCreate: (name: string) => void }) {
  const [name, setName] = useState('')
  function submit(event: FormEvent) {
    event.preventDefault()
    onCreate(name.trim())
  }
  return (
    <section aria-labelledby="create-dashboard">
      <h2 id="create-dashboard">Create a dashboard</h2>
      <form className="row" onSubmit={submit}>
        <label htmlFor="dashboard-name">Name</label>
        <input id="dashboard-name" maxLength={maxNameLength} value={name} onChange={({ target }) => setName(target.value)} />
        <button type="submit" disabled={isBusy || name.trim() === ''}>
          Create
        </button>
      </form>
    </section>
  )
}
