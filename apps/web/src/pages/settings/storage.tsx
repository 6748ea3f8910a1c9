import { useQuery } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { storageQuery } from './settings-queries.ts'

const bytes = (value: number | null) => (value === null ? 'not known' : `${value.toLocaleString('en')} bytes`)

/** How much the project stores. */
export function Storage() {
  const { id } = useProject()
  const query = useQuery(storageQuery(client, id))
  return (
    <section aria-labelledby="storage">
      <h2 id="storage">Storage</h2>
      <ShowQuery query={query} what="the size of the project">
        {({ trace_storage_size_bytes, objects_storage_size_bytes, tables_storage_size_bytes, files_storage_size_bytes }) => (
          <ul>
            <li>Calls: {bytes(trace_storage_size_bytes)}</li>
            <li>Objects: {bytes(objects_storage_size_bytes)}</li>
            <li>Rows of tables: {bytes(tables_storage_size_bytes)}</li>
            <li>Files: {bytes(files_storage_size_bytes)}</li>
          </ul>
        )}
      </ShowQuery>
    </section>
  )
}
