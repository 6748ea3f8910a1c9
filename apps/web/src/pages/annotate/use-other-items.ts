import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { claimNext } from '../../features/queues/claim-next.ts'
import { filterNames, isOfOpenItems, type ItemFilter, toServiceFilter } from '../../features/queues/item-filters.ts'
import { besideQuery, queuesKey } from '../../features/queues/queue-queries.ts'
import type { StepMessage } from './use-step.ts'

interface Parts {
  queue: { id: string }
  item: { id: string }
  username: string
  /** Which items of the queue next and previous page through. */
  filter: ItemFilter | undefined
  /** Gives the item back. */
  release: () => Promise<void>
}

const itemPath = '/$entity/$project/queues/$queue/annotate/$item'

/** The way from an item to others of its queue. What opens one says why there is none, and nothing where one was opened. */
export function useOtherItems({ queue, item, username, filter, release }: Parts) {
  const project = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const besideItem = besideQuery(client, project.id, queue.id, { item_id: item.id, filter: toServiceFilter(filter, username) })
  const place = useQuery(besideItem).data?.position_in_queue

  const open = (id: string) => navigate({ to: itemPath, params: { ...project, queue: queue.id, item: id }, search: { state: filter } })

  async function openAdjacent(step: 'next' | 'previous'): Promise<StepMessage> {
    const other = (await queries.ensureQueryData(besideItem))[step]
    const end = step === 'next' ? 'last' : 'first'
    if (!other) return { message: `This is the ${end} item${filter === undefined ? '' : ` of: ${filterNames[filter]}`}` }
    // A claim that cannot be released expires.
    await release().catch(() => undefined)
    await open(other.id)
    return undefined
  }

  return {
    /** Position of the item in its queue, from 1. Undefined until it is known. */
    place,
    open,
    openAdjacent,
    /** Opens the item that follows one that was completed or skipped. */
    async openNext(): Promise<StepMessage> {
      const isOpenNext = isOfOpenItems(filter)
      const next = isOpenNext ? await claimNext(client, project.id, queue.id) : null
      void readAgain(queries, queuesKey(project.id))
      if (!isOpenNext) return openAdjacent('next')
      if (!next) return { message: 'That was the last item. The others are done or reserved.' }
      await open(next.id)
      return undefined
    },
  }
}
