import { isApiError, type OutputOf, type tracing } from '@heddle/core-api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { formatBytes } from '../../components/byte-size.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { ServerStorage } from './server-storage.tsx'

type Configuration = OutputOf<(typeof tracing)['service']['configuration']>
type Limit = Configuration['limits'][number]

/** Null: the key may not see it. */
const configurationQuery = queryOptions({
  queryKey: ['server-configuration'],
  queryFn: async ({ signal }): Promise<Configuration | null> => {
    try {
      return await client.service.configuration({}, { signal })
    } catch (error) {
      if (isApiError(error) && error.status === 403) return null
      throw error
    }
  },
})

/** What the operator has decided for all projects of the server: for people with an admin key for all of them. */
export function ServerSettings() {
  return (
    <section aria-labelledby="server">
      <h2 id="server">The server</h2>
      <ShowQuery query={useQuery(configurationQuery)} what="the settings of the server">
        {(configuration) =>
          configuration === null ? (
            <p>Only an admin key for all projects sees limits, redaction, public links and allowed outgoing hosts of the server.</p>
          ) : (
            <>
              <p className="muted">
                These hold for every project. The operator changes them with options of the command that starts the server.
              </p>
              <h3>Disk and backup</h3>
              <ServerStorage />
              <Limits limits={configuration.limits} />
              <Redaction ingest={configuration.ingest} />
              <LinksOfServer isEnabled={configuration.public_links} />
              <OutgoingHosts outgoing={configuration.outgoing} />
            </>
          )
        }
      </ShowQuery>
    </section>
  )
}

const limitTitles: Record<Limit['name'], string> = {
  request_bytes: 'Size of a request',
  body_memory_bytes: 'Memory for all requests',
  running_writes: 'Writes that run',
  waiting_writes: 'Writes that wait',
  running_reads: 'Reads that run',
  waiting_reads: 'Reads that wait',
  statements: 'Queries that run',
  waiting_statements: 'Queries that wait',
  project_requests_per_minute: 'Requests of a project in a minute',
  project_requests_per_minute_per_key: 'Requests of a key to a project in a minute',
  project_ingested_bytes_per_day: 'Bytes of writes of a project on a day',
}

function Limits({ limits }: { limits: readonly Limit[] }) {
  const text = (name: string, value: number) => (name.includes('_bytes') ? formatBytes(value) : value.toLocaleString('en'))
  return (
    <>
      <h3>Limits</h3>
      <div className="scroll" tabIndex={0} role="region" aria-label="Limits">
        <table>
          <thead>
            <tr>
              <th scope="col">Limit</th>
              <th scope="col" className="number">
                At most
              </th>
              <th scope="col" className="number">
                In use
              </th>
              <th scope="col">Setting</th>
            </tr>
          </thead>
          <tbody>
            {limits.map(({ name, limit, used, setting }) => (
              <tr key={name}>
                <th scope="row">{limitTitles[name]}</th>
                <td className="number">{text(name, limit)}</td>
                <td className="number">{used === null ? '–' : text(name, used)}</td>
                <td>{setting !== null && <code>{setting}</code>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Redaction({ ingest }: { ingest: Configuration['ingest'] }) {
  return (
    <>
      <h3>Redaction</h3>
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
    </>
  )
}

function LinksOfServer({ isEnabled }: { isEnabled: boolean }) {
  return (
    <>
      <h3>Public links</h3>
      <p>
        {isEnabled
          ? 'Whoever can read and write in a project may share its traces with people who have no API key'
          : 'No trace can be shared with people who have no API key, and links that were created show nothing'}{' '}
        (<code>HEDDLE_PUBLIC_LINKS</code>).
      </p>
    </>
  )
}

function OutgoingHosts({ outgoing }: { outgoing: Configuration['outgoing'] }) {
  return (
    <>
      <h3>Allowed outgoing hosts</h3>
      {outgoing === null ? (
        <p className="muted">This server does not tell.</p>
      ) : (
        <>
          <p>
            Requests to model providers, judges and files go to the public internet, and within private networks only to these hosts and
            subnets (<code>HEDDLE_ALLOWED_HOSTS</code>):
          </p>
          {outgoing.allowed_hosts.length === 0 ? <p>none</p> : <Names names={outgoing.allowed_hosts} label="Allowed private hosts" />}
          {outgoing.service_hosts.length > 0 && (
            <>
              <p>and to the services that are configured:</p>
              <Names names={outgoing.service_hosts} label="Hosts of configured services" />
            </>
          )}
        </>
      )}
    </>
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
