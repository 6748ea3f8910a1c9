import { isApiError, type OutputOf, type tracing } from '@heddle/core-api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { formatBytes } from '../../components/byte-size.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'

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
  calls: 'Calls, feedback and rows of tables',
  records: 'Other records',
  files: 'Contents of files, checkpoints and trajectories',
  scratch: 'What can be made again',
  other: 'All else',
}

/** What the data folder of the server has by kind, and when it was last backed up: for people with an admin key for all projects. */
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
      <table className="facts" aria-label="Disk and backup">
        <tbody>
          {parts?.map(({ name, bytes }) => (
            <tr key={name}>
              <th scope="row">{partTitles[name]}</th>
              <td>{formatBytes(bytes)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Last backup by heddle backup</th>
            <td>
              {last_backup === null ? (
                'none is known'
              ) : (
                <>
                  <Time value={last_backup.ended_at} />, {formatBytes(last_backup.bytes)}
                </>
              )}
            </td>
          </tr>
        </tbody>
      </table>
      {!is_complete && <p className="notice">The data folder has too many files to add all up: it holds more than this.</p>}
    </>
  )
}
