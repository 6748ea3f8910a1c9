import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { formatBytes } from '../../components/byte-size.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { Quotas } from './quotas.tsx'
import { storageQuery } from './settings-queries.ts'

const bytes = (value: number | null) => (value === null ? 'not known' : formatBytes(value))

/** How much the project stores, and what bounds it. */
export function Storage() {
  const { id, entity, project } = useProject()
  const query = useQuery(storageQuery(client, id))
  return (
    <section aria-labelledby="storage">
      <h2 id="storage">Usage and quotas</h2>
      <ShowQuery query={query} what="the size of the project">
        {({ calls, trace_storage_size_bytes, objects_storage_size_bytes, tables_storage_size_bytes, files_storage_size_bytes }) => (
          <ul>
            <li>
              Calls:{' '}
              <Link to="/$entity/$project/calls" params={{ entity, project }} search={{ level: 'all' }}>
                {calls.toLocaleString('en')}
              </Link>
              , {bytes(trace_storage_size_bytes)}
            </li>
            <li>Objects: {bytes(objects_storage_size_bytes)}</li>
            <li>Rows of tables: {bytes(tables_storage_size_bytes)}</li>
            <li>Files: {bytes(files_storage_size_bytes)}</li>
          </ul>
        )}
      </ShowQuery>
      <Quotas />
    </section>
  )
}
