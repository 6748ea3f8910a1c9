import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatBytes } from '../../components/byte-size.ts'
import { formatDuration } from '../../components/duration.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { ServerStorage } from '../settings/server-storage.tsx'
import { countRequests, type Reading, storedRows } from './server-stats.ts'
import { SlowRequests } from './slow-requests.tsx'
import { statsQuery } from './stats-query.ts'

const whole = (count: number) => count.toLocaleString('en')
const stores = {
  embedded: 'the engine of this server',
  clickhouse: 'ClickHouse',
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  folder: 'the data folder',
  s3: 'S3',
}

/** How the server does: for people with an admin key for all projects. */
export function ServerState() {
  const query = useQuery(statsQuery)
  return (
    <ShowQuery query={query} what="the state of the server">
      {(reading) =>
        reading === null ? (
          <p className="muted">Sign in with an admin key for all projects to see load, disk and queues of this server.</p>
        ) : (
          <State {...reading} />
        )
      }
    </ShowQuery>
  )
}

function State({ stats, rowsPerSecond }: Reading) {
  const { store, disk, engine, requests, jobs } = stats
  const { answered, rejected, refused, failed } = countRequests(requests.by_status)
  const isTight = disk !== null && disk.free_bytes < 2 * disk.reserve_bytes
  return (
    <>
      <p>
        Running since <Time value={stats.started_at} />; counts begin there. Other servers on the same stores have their own counts.
      </p>
      {!engine.ready && <p className="problem">The store of calls does not answer. See the log of the server.</p>}
      {engine.detached_parts > 0 && (
        <p className="problem">
          {whole(engine.detached_parts)} parts of tables cannot be read, so rows are missing. Run <code>heddle doctor</code> on the server.
        </p>
      )}
      {isTight && <p className="problem">The disk is almost full. Writes are refused once less than its reserve is free.</p>}
      <h2>Stores</h2>
      <Facts
        facts={[
          ['Calls, feedback and rows', store === null ? 'not known' : stores[store.calls]],
          ['Other records', store === null ? 'not known' : stores[store.records]],
          ['Contents of files', store === null ? 'not known' : stores[store.files]],
          [
            'Disk of the data folder',
            disk === null ? 'not used' : `${formatBytes(disk.free_bytes)} free, of which ${formatBytes(disk.reserve_bytes)} are a reserve`,
          ],
          ['Engine', `${engine.version || 'not known'}, ${whole(engine.active_parts)} parts, ${whole(engine.restarts)} restarts`],
          ['Memory of the server', `${formatBytes(stats.memory_bytes)}, without the engine`],
        ]}
      />
      <h2>Disk and backup</h2>
      <ServerStorage />
      <h2>Ingest</h2>
      <Facts
        facts={[
          [
            'Rows stored now',
            rowsPerSecond === undefined
              ? 'known in ten seconds'
              : `${rowsPerSecond.toLocaleString('en', { maximumFractionDigits: 1 })} a second`,
          ],
          ['Rows stored', `${whole(storedRows(stats))}${tablesText(engine.inserted_rows)}`],
          ['Spans refused', whole(stats.rejected_spans)],
          [
            'On disk, not in their table yet',
            engine.waiting_bytes === 0 ? 'none' : `${formatBytes(engine.waiting_bytes)}, for ${formatDuration(engine.oldest_waiting_ms)}`,
          ],
        ]}
      />
      <h2>Requests</h2>
      <Facts
        facts={[
          ['Answered', whole(answered)],
          ['Rejected as wrong', whole(rejected)],
          [
            'Refused by a limit',
            `${whole(refused.tooMany)} too many, ${whole(refused.tooLarge)} too large, ${whole(refused.unavailable)} without room`,
          ],
          ['Failed', whole(failed)],
          ['Responses cut short', whole(requests.cut)],
          ['In the queues now', queuesText(requests)],
        ]}
      />
      <h2>Jobs</h2>
      <Facts
        facts={[
          [
            'Waiting',
            jobs.oldest_wait_ms === null
              ? whole(jobs.queued)
              : `${whole(jobs.queued)}, the first for ${formatDuration(jobs.oldest_wait_ms)}`,
          ],
          ['Running', whole(jobs.running)],
          ['Ended on this server', `${whole(jobs.succeeded)} succeeded, ${whole(jobs.failed)} failed, ${whole(jobs.cancelled)} cancelled`],
          ['Attempts repeated', whole(jobs.retried)],
        ]}
      />
      <SlowRequests requests={requests.slow} />
    </>
  )
}

function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <table className="facts">
      <tbody>
        {facts.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function tablesText(rows: Readonly<Record<string, number>>): string {
  const tables = Object.entries(rows).filter(([, count]) => count > 0)
  return tables.length === 0 ? '' : `: ${tables.map(([name, count]) => `${whole(count)} of ${name}`).join(', ')}`
}

function queuesText({ reads, writes, statements }: Reading['stats']['requests']): string {
  const text = (name: string, { running, waiting }: { running: number; waiting: number }) =>
    `${whole(running)} ${name} run and ${whole(waiting)} wait`
  return [text('reads', reads), text('writes', writes), text('statements', statements)].join('; ')
}
