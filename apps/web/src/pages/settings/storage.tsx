import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { formatBytes } from '../../lib/texts/byte-size.ts'
import { Stats } from '../../ui/stat.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Quotas } from './quotas.tsx'
import { limitsQuery, storageQuery, deletionsQuery } from './settings-queries.ts'
import { SettingsSection } from './settings-section.tsx'
import { RemovalProgress } from '../../features/storage/removal-progress.tsx'

const bytes = (value: number | null) => (value === null ? '–' : formatBytes(value))

/** How much the project stores, and what bounds it. */
export function Storage() {
  const { id, entity, project } = useProject()
  const query = useQuery(storageQuery(client, id))
  return (
    <SettingsSection
      title="Usage and quotas"
      text="What the project stores, and its limits."
      query={useQuery(limitsQuery(client, id))}
      refreshes="the quotas"
    >
      <ShowQuery query={query} what="the size of the project">
        {({ calls, trace_storage_size_bytes, objects_storage_size_bytes, tables_storage_size_bytes, files_storage_size_bytes }) => (
          <Stats
            items={[
              {
                name: 'Spans',
                value: (
                  <Link to="/$entity/$project/calls" params={{ entity, project }} search={{ level: 'all' }} className="hover:underline">
                    {calls.toLocaleString('en')}
                  </Link>
                ),
                note: bytes(trace_storage_size_bytes),
              },
              { name: 'Objects', value: bytes(objects_storage_size_bytes) },
              { name: 'Dataset rows', value: bytes(tables_storage_size_bytes) },
              { name: 'Files', value: bytes(files_storage_size_bytes) },
            ]}
          />
        )}
      </ShowQuery>
      <Deletions />
      <Quotas />
    </SettingsSection>
  )
}

/** Progress of the deletions that still remove records from the store; renders nothing if there are none. */
function Deletions() {
  const { id } = useProject()
  const { data: running = [] } = useQuery(deletionsQuery(client, id))
  if (running.length === 0) return null
  return (
    <div role="status">
      <p>Deleted records that are being removed from the store:</p>
      <ul aria-label="Deletions">
        {running.map(({ id: deletion, kind, total, removed }) => (
          <li key={deletion}>
            <RemovalProgress total={total} removed={removed} of={kind.replaceAll('_', ' ')} />
          </li>
        ))}
      </ul>
    </div>
  )
}
