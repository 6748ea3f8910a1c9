import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { ShowQuery } from '../../components/show-query.tsx'

const refreshMs = 10_000

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

/** Whether the service runs, and which version it is. Looks again every ten seconds. */
export function StatusPage() {
  const query = useQuery(statusQuery)
  return (
    <main id="content" className="narrow">
      <h1>Service state</h1>
      <ShowQuery query={query} what="the state of the service">
        {({ status, version, info }) => (
          <table>
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
    </main>
  )
}
