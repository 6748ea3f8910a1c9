import { queryOptions, useQuery } from '@tanstack/react-query'
import { cx } from '../../lib/cx.ts'
import { addressOf } from '../../lib/server/base-path.ts'
import { client } from '../../lib/server/client.ts'

/** What the server answers without a key. */
const openStateQuery = queryOptions({
  queryKey: ['open-state'],
  queryFn: async ({ signal }) => {
    const [{ status }, { version }] = await Promise.all([client.service.health({}, { signal }), client.service.version({}, { signal })])
    return { isRunning: status === 'ok', version }
  },
})

/** Whether the service runs, its version and its documentation. Without an answer, the documentation alone. */
export function SignInFoot() {
  const { data } = useQuery(openStateQuery)
  return (
    <footer className="flex min-h-6 flex-wrap items-center gap-4 text-xs text-fg-3">
      {data && (
        <>
          <span className="inline-flex items-center gap-1.5">
            <span aria-hidden className={cx('size-1.5 rounded-full', data.isRunning ? 'bg-green' : 'bg-red')} />
            {data.isRunning ? 'Service running' : 'Service not ready'}
          </span>
          <span>Version {data.version}</span>
        </>
      )}
      <span className="grow" />
      <a href={addressOf('/docs/')} className="inline-flex min-h-6 items-center hover:text-fg hover:underline">
        Docs
      </a>
    </footer>
  )
}
