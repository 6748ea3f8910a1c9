import type { OutputOf, tracing } from '@heddle/core-api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../lib/server/client.ts'
import { formatBytes } from '../../lib/texts/byte-size.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { nullIfForbidden } from '../../lib/server/is-forbidden.ts'

type ServiceStorage = OutputOf<(typeof tracing)['service']['storage']>

/** Null: the key may not see it. */
const serviceStorageQuery = queryOptions({
  queryKey: ['server-storage'],
  queryFn: ({ signal }) => nullIfForbidden(client.service.storage({}, { signal })),
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

interface Place {
  name: string
  size: ReactNode
}

const columns: ListColumn<Place>[] = [
  { id: 'name', title: 'Kind', namesRow: true, cell: ({ name }) => name },
  { id: 'size', title: 'Size', width: '144px', align: 'right', wraps: true, cell: ({ size }) => size },
]

function StorageTable({ parts, is_complete, last_backup }: ServiceStorage) {
  const kinds = (parts ?? []).map(({ name, bytes }): Place => ({ name: partTitles[name], size: formatBytes(bytes) }))
  return (
    <>
      <ListTable
        label="Storage"
        rows={[...kinds, { name: 'Last backup', size: <LastBackup backup={last_backup} /> }]}
        columns={columns}
        rowId={({ name }) => name}
        rowHeight={36}
      />
      {!is_complete && <Notice className="m-3" title="Too many files to add up. The data folder holds more." />}
    </>
  )
}

function LastBackup({ backup }: { backup: ServiceStorage['last_backup'] }) {
  if (backup === null) return <span className="text-fg-3">None yet</span>
  return (
    <>
      <Time value={backup.ended_at} />, {formatBytes(backup.bytes)}
    </>
  )
}
