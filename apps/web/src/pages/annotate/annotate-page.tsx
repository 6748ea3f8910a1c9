import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { Inbox } from 'lucide-react'
import { client, exactClient } from '../../lib/server/client.ts'
import { sessionQuery } from '../../lib/server/session.ts'
import { useProject } from '../../lib/use-project.ts'
import { EmptyState } from '../../ui/card.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { itemQuery, queueQuery, specsQuery } from '../../features/queues/queue-queries.ts'
import { AnnotateItem } from './annotate-item.tsx'
import { callQuery, enteredQuery } from './annotate-queries.ts'
import { toAnnotationField } from './annotation-field.ts'
import type { QueueItem } from '../../features/queues/queue-queries.ts'

/** How often it is looked who holds the item. */
const itemReadMs = 15_000

const from = '/$entity/$project/queues/$queue/annotate/$item'

/** One item of a queue: the call left, the fields right. All of it works by keyboard. */
export function AnnotatePage() {
  const { id } = useProject()
  const { queue: queueId, item: itemId } = useParams({ from })
  const queue = useQuery(queueQuery(client, id, queueId))
  const item = useQuery({ ...itemQuery(client, id, queueId, itemId), refetchInterval: itemReadMs })
  return (
    <ShowQuery query={queue} what="the queue">
      {(queue) => (
        <ShowQuery query={item} what="the item">
          {(item) =>
            item === null ? (
              <EmptyState icon={Inbox} title="Item not found">
                The queue has no item {itemId}. Choose another one in the queue.
              </EmptyState>
            ) : (
              <LoadedItem key={item.id} queue={queue} item={item} />
            )
          }
        </ShowQuery>
      )}
    </ShowQuery>
  )
}

type Queue = Awaited<ReturnType<typeof client.annotationQueues.read>>['queue']

function LoadedItem({ queue, item }: { queue: Queue; item: QueueItem }) {
  const { id } = useProject()
  const session = useQuery(sessionQuery)
  const username = session.data?.username ?? ''
  const { state } = useSearch({ from })
  const place = { project_id: id, queueId: queue.id, callId: item.call_id }
  const call = useQuery(callQuery(exactClient, id, item.call_id))
  const specs = useQuery(specsQuery(exactClient, queue.scorer_refs))
  const entered = useQuery({ ...enteredQuery(exactClient, place, username), enabled: username !== '' })
  return (
    <ShowQuery query={call} what="the call">
      {(call) => (
        <ShowQuery query={specs} what="the fields">
          {(specs) => (
            <ShowQuery query={entered} what="what you have entered">
              {(stored) => (
                <AnnotateItem
                  queue={queue}
                  item={item}
                  call={call}
                  fields={specs.flatMap(({ ref, ...spec }) => toAnnotationField(ref, spec) ?? [])}
                  stored={stored}
                  username={username}
                  filter={state}
                />
              )}
            </ShowQuery>
          )}
        </ShowQuery>
      )}
    </ShowQuery>
  )
}
