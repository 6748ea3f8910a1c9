import { Card } from '../../ui/card.tsx'
import { formatDuration } from '../../lib/time/duration.ts'
import { Time } from '../../ui/time/time.tsx'
import type { Reading } from './server-stats.ts'

/** The slowest requests of the last hour, so that an operator sees what to look at. */
export function SlowRequests({ requests }: { requests: Reading['stats']['requests']['slow'] }) {
  return (
    <Card title="Slow requests, last hour">
      {requests.length === 0 ? (
        <p className="text-fg-3">No slow requests</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col" className="number">
                Took
              </th>
              <th scope="col" className="number">
                In a queue
              </th>
              <th scope="col">Status</th>
              <th scope="col">Ended</th>
            </tr>
          </thead>
          <tbody>
            {requests.map(({ operation, status, ms, waited_ms, ended_at }, at) => (
              // Two requests of one operation may end together.
              <tr key={at}>
                <td>{operation}</td>
                <td className="number">{formatDuration(ms)}</td>
                <td className="number">{formatDuration(waited_ms)}</td>
                <td>{status}</td>
                <td>
                  <Time value={ended_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
