import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { ServerState } from './server-state.tsx'
import { refreshMs } from './stats-query.ts'

const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: async ({ signal }) => {
    const [{ status }, { version }, info] = await Promise.all([
      client.service.health({}, { signal }),
      client.service.version({}, { signal }),
      client.service.serverInfo({}, { signal }),
    ])
    return { status, version, info }
  },
  refetchInterval: refreshMs,
})

/** Whether the service runs, and for operators how. Looks again every ten seconds. */
export function StatusPage() {
  const query = useQuery(statusQuery)
  return (
    <main id="content" className="narrow">
      <h1>Service state</h1>
      <ShowQuery query={query} what="the state of the service">
        {({ status, version, info }) => (
          <table className="facts">
            <tbody>
              <tr>
                <th scope="row">Service</th>
                <td>{status === 'ok' ? 'running' : status}</td>
              </tr>
              <tr>
                <th scope="row">Version</th>
                <td>{version}</td>
              </tr>
              <tr>
                <th scope="row">Oldest Python client</th>
                <td>{info.min_required_weave_python_version}</td>
              </tr>
            </tbody>
          </table>
        )}
      </ShowQuery>
      <ServerState />
    </main>
  )
}
