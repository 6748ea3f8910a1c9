import { useQuery } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { RemovalProgress } from '../../features/storage/removal-progress.tsx'
import { deletionsQuery } from './settings-queries.ts'

/** Progress of the deletions that still remove records from the store; renders nothing if there are none. */
export function Deletions() {
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
