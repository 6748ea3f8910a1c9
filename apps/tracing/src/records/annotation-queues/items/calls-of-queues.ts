import { badRequest } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { AnnotationItemsStore } from './annotation-items-store.ts'
import type { AnnotationQueuesStore } from '../queues/annotation-queues-store.ts'

/** Items of all queues that one query of calls names. */
const maxItems = 100_000

/**
 * The calls that are items of queues of a project, by queue id; queues without items are omitted.
 * @throws 400 where the queues have more than 100,000 items together: a statement cannot name them all.
 */
export type CallsOfQueues = (project: ProjectScope, queueIds: readonly string[]) => Promise<Map<string, string[]>>

interface CallsOfQueuesDeps {
  queues: Pick<AnnotationQueuesStore, 'counts'>
  items: Pick<AnnotationItemsStore, 'callsOf'>
}

export function createCallsOfQueues({ queues, items }: CallsOfQueuesDeps): CallsOfQueues {
  return async (project, queueIds) => {
    const counts = await queues.counts(project, queueIds)
    const total = [...counts.values()].reduce((sum, { total_items }) => sum + total_items, 0)
    if (total > maxItems)
      throw badRequest(`the query names annotation queues with ${total} items together, at most ${maxItems} are allowed: name fewer queues`)
    return items.callsOf(project, [...counts.keys()])
  }
}
