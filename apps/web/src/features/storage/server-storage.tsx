import { isApiError, type OutputOf, type tracing } from '@heddle/core-api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { formatBytes } from '../../lib/texts/byte-size.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Time } from '../../ui/time/time.tsx'

type ServiceStorage = OutputOf<(typeof tracing)['service']['storage']>

/** Null: the key may not see it. */
const serviceStorageQuery = queryOptions({
  queryKey: ['server-storage'],
  queryFn: async ({ signal }): Promise<ServiceStorage | null> => {
    try {
      return await client.service.storage({}, { signal })
    } catch (error) {
      if (isApiError(error) && error.status === 403) return null
      throw error
    }
  },
})

const partTitles: Record<NonNullable<ServiceStorage['parts']>[number]['name'], string> = {
  calls: 'Traces, feedback, rows',
  records: 'Other records',
  files: 'Files, checkpoints, trajectories',
  scratch: 'Caches',
  other: 'Other',
}

/** Size of the server's data folder by kind, and its last backup: for users with an admin key for all projects. */
export function ServerStorage() {
  return (
    <ShowQuery query={useQuery(serviceStorageQuery)} what="the storage of the server">
      {(storage) => storage && <StorageTable {...storage} />}
    </ShowQuery>
  )
}

function StorageTable({ parts, is_complete, last_backup }: ServiceStorage) {
  return (
    <>
      <table className="facts" aria-label="Storage">
        <tbody>
          {parts?.map(({ name, bytes }) => (
            <tr key={name}>
              <th scope="row">{partTitles[name]}</th>
              <td>{formatBytes(bytes)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Last backup</th>
            <td>
              {last_backup === null ? (
                <span className="text-fg-3">None yet</span>
              ) : (
                <>
                  <Time value={last_backup.ended_at} />, {formatBytes(last_backup.bytes)}
                </>
              )}
            </td>
          </tr>
        </tbody>
      </table>
      {!is_complete && <Notice title="Too many files to add up. The data folder holds more." />}
    </>
  )
}
