import { useQuery } from '@tanstack/react-query'
import { Card, Facts } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Stats } from '../../ui/stat.tsx'
import type { ReactNode } from 'react'
import { formatBytes } from '../../lib/texts/byte-size.ts'
import { formatDuration } from '../../lib/time/duration.ts'
import { RemovalProgress } from '../../features/storage/removal-progress.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Time } from '../../ui/time/time.tsx'
import { ServerStorage } from '../../features/storage/server-storage.tsx'
import type { LoadRange } from './load-ranges.ts'
import { LoadOverTime } from './load-over-time.tsx'
import { countRequests, type Reading, storedRows } from './server-stats.ts'
import { SlowRequests } from './slow-requests.tsx'
import { statsQuery } from './stats-query.ts'

const whole = (count: number) => count.toLocaleString('en')
const unknown = 'Not reported'
const stores = {
  embedded: 'Embedded',
  clickhouse: 'ClickHouse',
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  folder: 'Data folder',
  s3: 'S3',
}

/** State of the server: for users with an admin key for all projects. */
export function ServerState({ range }: { range: LoadRange }) {
  const query = useQuery(statsQuery)
  return (
    <ShowQuery query={query} what="the state of the server">
      {(reading) =>
        reading === null ? (
          <p className="text-fg-2">Sign in with an admin key for all projects to see load, disk and queues.</p>
        ) : (
          <State {...reading} range={range} />
        )
      }
    </ShowQuery>
  )
}

function State({ stats, spansPerMinute, range }: Reading & { range: LoadRange }) {
  const { store, disk, engine, requests, jobs } = stats
  const { answered, rejected, refused, failed } = countRequests(requests.by_status)
  const isTight = disk !== null && disk.free_bytes < 2 * disk.reserve_bytes
  return (
    <>
      {!engine.ready && (
        <Notice tone="error" title="The store of calls does not answer">
          See the server log.
        </Notice>
      )}
      {engine.detached_parts > 0 && (
        <Notice tone="error" title={`${whole(engine.detached_parts)} parts of tables cannot be read, so rows are missing`}>
          Run <code>heddle doctor</code> on the server.
        </Notice>
      )}
      {Object.keys(stats.invariant_failures).length > 0 && (
        <Notice tone="error" title="Internal checks failed">
          Nothing was stored by what failed. Please report this with the server log: {failuresText(stats.invariant_failures)}.
        </Notice>
      )}
      {isTight && (
        <Notice tone="warning" title="The disk is almost full">
          Writes are refused once less than its reserve is free.
        </Notice>
      )}
      <Stats
        items={[
          {
            name: 'Ingest',
            value: spansPerMinute === undefined ? '–' : whole(Math.round(spansPerMinute)),
            note: spansPerMinute === undefined ? 'Measuring…' : 'spans per minute',
          },
          { name: 'Requests answered', value: whole(answered), note: 'since start' },
          {
            name: 'Refused by a limit',
            value: whole(refused.tooMany + refused.tooLarge + refused.unavailable),
            note: `${whole(rejected)} invalid`,
          },
          { name: 'Requests failed', value: whole(failed), note: `${whole(requests.cut)} cut short` },
          { name: 'Jobs waiting', value: whole(jobs.queued), note: `${whole(jobs.running)} running` },
        ]}
      />
      <LoadOverTime range={range} />
      <div className="gap-4 lg:columns-2 [&>*]:mb-4 [&>*]:break-inside-avoid">
        <Card title="Stores">
          <Facts
            wide
            wraps
            rows={[
              ['Traces, feedback, rows', store === null ? unknown : stores[store.calls]],
              ['Other records', store === null ? unknown : stores[store.records]],
              ['Files', store === null ? unknown : stores[store.files]],
              ['Disk', disk === null ? 'Not used' : `${formatBytes(disk.free_bytes)} free, ${formatBytes(disk.reserve_bytes)} reserved`],
              ['Engine', `${engine.version || unknown}, ${whole(engine.active_parts)} parts, ${whole(engine.restarts)} restarts`],
              ['Memory', `${formatBytes(stats.memory_bytes)} without the engine`],
            ]}
          />
        </Card>
        <Card title="Storage" flush>
          <ServerStorage />
        </Card>
        <Card title="Ingest" note="since start">
          <Facts
            wide
            wraps
            rows={[
              ['Rows stored', `${whole(storedRows(stats))}${tablesText(engine.inserted_rows)}`],
              ['Spans refused', whole(stats.rejected_spans)],
              [
                'In the journal',
                engine.waiting_bytes === 0
                  ? 'None'
                  : `${formatBytes(engine.waiting_bytes)}, for ${formatDuration(engine.oldest_waiting_ms)}`,
              ],
            ]}
          />
        </Card>
        <Card title="Requests" note="since start">
          <Facts
            wide
            wraps
            rows={[
              ['Answered', whole(answered)],
              ['Invalid', whole(rejected)],
              [
                'Refused by a limit',
                `${whole(refused.tooMany)} too many, ${whole(refused.tooLarge)} too large, ${whole(refused.unavailable)} no room`,
              ],
              ['Failed', whole(failed)],
              ['Cut short', whole(requests.cut)],
              ...queueFacts(requests),
            ]}
          />
        </Card>
        <Card title="Jobs" note="since start">
          <Facts
            wide
            wraps
            rows={[
              [
                'Waiting',
                jobs.oldest_wait_ms === null
                  ? whole(jobs.queued)
                  : `${whole(jobs.queued)}, the first for ${formatDuration(jobs.oldest_wait_ms)}`,
              ],
              ['Running', whole(jobs.running)],
              ['Ended here', `${whole(jobs.succeeded)} succeeded, ${whole(jobs.failed)} failed, ${whole(jobs.cancelled)} cancelled`],
              ['Retried', whole(jobs.retried)],
              ['Deletions', deletionsText(stats.deletions)],
            ]}
          />
        </Card>
      </div>
      <SlowRequests requests={requests.slow} />
      <p className="text-xs text-fg-3">
        Counts of this server since <Time value={stats.started_at} />
      </p>
    </>
  )
}

function failuresText(failures: Reading['stats']['invariant_failures']): string {
  return Object.entries(failures)
    .map(([name, count]) => `${name} (${whole(count)})`)
    .join(', ')
}

function deletionsText({ running, total, removed }: Reading['stats']['deletions']): ReactNode {
  if (running === 0) return 'None running'
  return (
    <>
      {whole(running)} running, <RemovalProgress total={total} removed={removed} of="records" />
    </>
  )
}

/** What one row of a table is, and what several are. */
const rowNames: Readonly<Record<string, readonly [one: string, several: string]>> = {
  calls: ['span', 'spans'],
  table_rows: ['dataset row', 'dataset rows'],
  tables: ['dataset', 'datasets'],
  object_values: ['object', 'objects'],
}

function tablesText(rows: Readonly<Record<string, number>>): string {
  const tables = Object.entries(rows).filter(([, count]) => count > 0)
  const counted = tables.map(([name, count]) => `${whole(count)} ${rowNames[name]?.[count === 1 ? 0 : 1] ?? name}`)
  return counted.length === 0 ? '' : `: ${counted.join(', ')}`
}

const queueFacts = ({ reads, writes, statements }: Reading['stats']['requests']) =>
  Object.entries({ Reads: reads, Writes: writes, Statements: statements }).map(([name, { running, waiting }]): [string, string] => [
    name,
    `${whole(running)} running, ${whole(waiting)} waiting`,
  ])
