import type { KeyMade } from '@heddle/core-api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { Time } from '../../components/time.tsx'
import { madeByKeysQuery } from './keys-queries.ts'

const kinds: Record<KeyMade['kind'], string> = { shared_trace: 'Public link to trace', monitor: 'Monitor', webhook: 'Webhook' }

/** Public links, monitors and webhooks that work on after their key has ended; nothing where there are none. */
export function MadeByKeys() {
  const { id } = useProject()
  const queries = useQueryClient()
  const { data } = useQuery(madeByKeysQuery(id))
  const end = useMutation({
    mutationFn: (key_id: string) => client.projectKeys.revoke({ project_id: id, key_id, ends_made: true }),
    onSuccess: () => readAgain(queries, ['keys', id]),
  })
  if (data === undefined || data.made.length === 0) return null
  return (
    <>
      <h3>Still working without their key</h3>
      <p className="muted">Their keys are revoked, have expired or were removed.</p>
      <ul>
        {data.made.map((made) => (
          <li key={`${made.kind} ${made.id} ${made.name}`}>
            {kinds[made.kind]} <bdi>{made.name}</bdi>, created by <bdi>{made.created_by}</bdi> <Time value={made.created_at} />
          </li>
        ))}
      </ul>
      {[...new Map(data.made.map((made) => [made.key_id, made.created_by]))].map(([key, user]) => (
        <button
          key={key}
          type="button"
          disabled={end.isPending}
          onClick={() => window.confirm('End everything that was made with this key? This cannot be undone.') && end.mutate(key)}
        >
          End all that <bdi>{user}</bdi> made with the key {key.slice(0, 8)}
        </button>
      ))}
      <Failure error={end.error} />
    </>
  )
}
