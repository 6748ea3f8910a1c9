import type { OutputOf, tracing } from '@heddle/core-api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { formatBytes } from '../../lib/texts/byte-size.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { ServerStorage } from '../../features/storage/server-storage.tsx'
import { SettingsSection } from './settings-section.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/card.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { textColumn } from '../../ui/table/column-kinds.tsx'
import { nullIfForbidden } from '../../lib/server/is-forbidden.ts'

type Configuration = OutputOf<(typeof tracing)['service']['configuration']>
type Limit = Configuration['limits'][number]

/** Null: the key may not see it. */
const configurationQuery = queryOptions({
  queryKey: ['server-configuration'],
  queryFn: ({ signal }) => nullIfForbidden(client.service.configuration({}, { signal })),
})

/** The operator's settings for all projects of the server: for users with an admin key for all of them. */
export function ServerSettings() {
  return (
    <SettingsSection title="Server" text="For every project. Set by the options that start the server.">
      <ShowQuery query={useQuery(configurationQuery)} what="the settings of the server">
        {(configuration) =>
          configuration === null ? (
            <Notice title="Only an admin key for all projects sees limits, redaction, public links and outbound hosts of the server" />
          ) : (
            <>
              <Card title="Storage" flush>
                <ServerStorage />
              </Card>
              <Limits limits={configuration.limits} />
              <Redaction ingest={configuration.ingest} />
              <LinksOfServer isEnabled={configuration.public_links} />
              <OutgoingHosts outgoing={configuration.outgoing} />
              <TrainingLibrary file={configuration.training_library} />
            </>
          )
        }
      </ShowQuery>
    </SettingsSection>
  )
}

const limitTitles: Record<Limit['name'], string> = {
  request_bytes: 'Request size',
  body_memory_bytes: 'Memory of all requests',
  running_writes: 'Writes running',
  waiting_writes: 'Writes waiting',
  running_reads: 'Reads running',
  waiting_reads: 'Reads waiting',
  statements: 'Queries running',
  waiting_statements: 'Queries waiting',
  project_requests_per_minute: 'Requests per minute, per project',
  project_requests_per_minute_per_key: 'Requests per minute, per key and project',
  project_ingested_bytes_per_day: 'Writes per day, per project',
}

const textOfLimit = (name: string, value: number) => (name.includes('_bytes') ? formatBytes(value) : value.toLocaleString('en'))

const limitColumns: ListColumn<Limit>[] = [
  textColumn('limit', 'Limit', 'auto', ({ name }) => limitTitles[name], { namesRow: true, wraps: true }),
  textColumn('most', 'At most', '96px', ({ name, limit }) => textOfLimit(name, limit), { align: 'right' }),
  textColumn('used', 'In use', '96px', ({ name, used }) => (used === null ? null : textOfLimit(name, used)), { align: 'right' }),
  { id: 'setting', title: 'Setting', width: '264px', wraps: true, cell: ({ setting }) => setting !== null && <code>{setting}</code> },
]

const Limits = ({ limits }: { limits: readonly Limit[] }) => (
  <Card title="Limits" flush className="overflow-hidden">
    <ListTable label="Limits" rows={limits} rowId={({ name }) => name} columns={limitColumns} minWidth={640} rowHeight={36} />
  </Card>
)

function Redaction({ ingest }: { ingest: Configuration['ingest'] }) {
  return (
    <Card title="Redaction">
      {ingest.masks_credentials ? (
        <>
          <p>
            Texts of inputs, attributes and spans are stored as <code>REDACTED</code> under these names, in any case, with or without{' '}
            <code>_</code> and <code>-</code>. <code>*</code> stands for any beginning.
          </p>
          <Names names={ingest.masked_names} label="Names whose texts are redacted" />
        </>
      ) : (
        <p>
          Nothing is redacted (<code>HEDDLE_MASK_CREDENTIALS=off</code>).
        </p>
      )}
    </Card>
  )
}

function LinksOfServer({ isEnabled }: { isEnabled: boolean }) {
  return (
    <Card title="Public links">
      <p>
        {isEnabled
          ? 'Whoever can read and write in a project may share its traces with people who have no API key'
          : 'No trace can be shared with people who have no API key, and links that were created show nothing'}{' '}
        (<code>HEDDLE_PUBLIC_LINKS</code>).
      </p>
    </Card>
  )
}

function OutgoingHosts({ outgoing }: { outgoing: Configuration['outgoing'] }) {
  return (
    <Card title="Outbound hosts">
      {outgoing === null ? (
        <p className="text-fg-3">Not reported</p>
      ) : (
        <>
          <p>
            Requests to model providers, judges and files go to the internet, and to these private hosts and subnets, set by{' '}
            <code>HEDDLE_ALLOWED_HOSTS</code>:
          </p>
          {outgoing.allowed_hosts.length === 0 ? <p>None</p> : <Names names={outgoing.allowed_hosts} label="Allowed private hosts" />}
          {outgoing.service_hosts.length > 0 && (
            <>
              <p>And to configured services:</p>
              <Names names={outgoing.service_hosts} label="Hosts of configured services" />
            </>
          )}
        </>
      )}
    </Card>
  )
}

function TrainingLibrary({ file }: { file: string | null }) {
  return (
    <Card title="Models on this machine">
      <p>
        {file === null ? 'Matrices are multiplied by the server itself' : 'Matrices are multiplied by the library '}
        {file !== null && <code>{file}</code>} (<code>HEDDLE_TRAINING_BLAS_FILE</code>).
      </p>
    </Card>
  )
}

function Names({ names, label }: { names: readonly string[]; label: string }) {
  return (
    <ul aria-label={label}>
      {names.map((name) => (
        <li key={name}>
          <code>{name}</code>
        </li>
      ))}
    </ul>
  )
}
