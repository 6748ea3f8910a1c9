import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { client } from '../../lib/server/client.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { ServerState } from './server-state.tsx'
import { refreshMs } from './stats-query.ts'
import { Badge } from '../../ui/badge.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Segmented } from '../../ui/tabs.tsx'
import { loadRangeNames, loadRanges } from './load-ranges.ts'

const route = getRouteApi('/status')

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
  const { range = '1h' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <>
      <PageHead
        title="Service status"
        state={query.data && <Badge>{query.data.version}</Badge>}
        actions={
          <Segmented
            label="Time range"
            items={loadRanges.map((value) => ({ value, label: loadRangeNames[value] }))}
            value={range}
            onChange={(chosen) => void navigate({ search: { range: loadRanges.find((one) => one === chosen) }, replace: true })}
          />
        }
      />
      <div className="mx-auto flex max-w-280 flex-col gap-4">
        <ShowQuery query={query} what="the state of the service">
          {({ status, info }) => (
            <Notice tone={status === 'ok' ? 'ok' : 'error'} title={status === 'ok' ? 'Service running' : `Service ${status}`}>
              Works with Python clients {info.min_required_weave_python_version} and newer
            </Notice>
          )}
        </ShowQuery>
        <ServerState range={range} />
      </div>
    </>
  )
}
