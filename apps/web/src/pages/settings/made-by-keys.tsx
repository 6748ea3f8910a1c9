import type { KeyMade } from '@heddle/core-api/types'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { Time } from '../../ui/time/time.tsx'
import { keysQuery, madeByKeysQuery } from './keys-queries.ts'
import { useConfirm } from '../../ui/confirm/confirm.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

const kinds: Record<KeyMade['kind'], string> = { shared_trace: 'Public link to trace', monitor: 'Monitor', webhook: 'Webhook' }

const hasKey = ({ key_id }: KeyMade) => key_id !== ''

/** Public links, monitors and webhooks that remain active after their key has ended; renders nothing if there are none. */
export function MadeByKeys() {
  const { id } = useProject()
  const queries = useQueryClient()
  const { data } = useQuery(madeByKeysQuery(id))
  const end = useMutation({
    mutationFn: (key_id: string) => client.projectKeys.revoke({ project_id: id, key_id, ends_made: true }),
    onSuccess: () => readAgain(queries, keysQuery(id).queryKey),
  })
  const confirm = useConfirm()
  if (data === undefined || data.made.length === 0) return null
  async function ask(key: string) {
    const text = 'End everything that was made with this key? This cannot be undone.'
    if (await confirm({ text, confirm: 'End everything' })) end.mutate(key)
  }
  return (
    <Card title="Still working without their key">
      <p className="text-fg-3">Their keys are revoked, expired, removed or unknown.</p>
      <ul>
        {data.made.map((made) => (
          <li key={`${made.kind} ${made.id} ${made.name}`}>
            {kinds[made.kind]} <bdi>{made.name}</bdi>, created by <bdi>{made.created_by}</bdi> <Time value={made.created_at} />
            {made.key_id === '' && ' with an unknown key'}
          </li>
        ))}
      </ul>
      {[...new Map(data.made.filter(hasKey).map((made) => [made.key_id, made.created_by]))].map(([key, user]) => (
        <Button key={key} disabled={end.isPending} onClick={() => void ask(key)}>
          End all that <bdi>{user}</bdi> made with the key {key.slice(0, 8)}
        </Button>
      ))}
      <Failure error={end.error} />
    </Card>
  )
}
