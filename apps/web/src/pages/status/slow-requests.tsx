import { Card } from '../../ui/card.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { formatDuration } from '../../lib/time/duration.ts'
import { Time } from '../../ui/time/time.tsx'
import type { Reading } from './server-stats.ts'
import { numberColumn, textColumn } from '../../ui/table/column-kinds.tsx'

type SlowRequest = Reading['stats']['requests']['slow'][number]

interface Row {
  request: SlowRequest
  at: number
}

const columns: ListColumn<Row>[] = [
  textColumn('operation', 'Operation', 'auto', ({ request }) => request.operation, { namesRow: true }),
  numberColumn('took', 'Took', '112px', ({ request }) => request.ms, { show: formatDuration }),
  numberColumn('waited', 'In a queue', '112px', ({ request }) => request.waited_ms, { show: formatDuration }),
  numberColumn('status', 'Status', '80px', ({ request }) => request.status, { show: String }),
  { id: 'ended', title: 'Ended', width: '180px', cell: ({ request }) => <Time value={request.ended_at} /> },
]

/** The slowest requests of the last hour, so that an operator sees what to look at. */
export function SlowRequests({ requests }: { requests: readonly SlowRequest[] }) {
  return (
    <Card title="Slow requests, last hour" flush={requests.length > 0}>
      {requests.length === 0 ? (
        <p className="text-fg-3">No slow requests</p>
      ) : (
        <ListTable
          label="Slow requests"
          // Two requests of one operation may end together.
          rows={requests.map((request, at) => ({ request, at }))}
          rowId={({ at }) => String(at)}
          columns={columns}
          rowHeight={36}
        />
      )}
    </Card>
  )
}
