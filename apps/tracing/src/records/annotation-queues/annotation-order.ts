import type { SortBy } from '@heddle/core-api'
import type { AnnotationItemOrder } from '@heddle/core-api/types'
import { type ItemSortKey, itemSortFields } from './items/annotation-items-store.ts'
import { type QueueSortKey, queueSortFields } from './queues/annotation-queues-store.ts'

/** The order of queues: unknown fields are ignored, and the newest are first if no field is left. */
export function toQueuesOrder(sortBy: readonly SortBy[] | null): QueueSortKey[] {
  const requested = knownKeys(sortBy, queueSortFields)
  return complete<QueueSortKey>(requested.length === 0 ? [{ field: 'created_at', direction: 'desc' }] : requested)
}

/** The order of items: unknown fields are ignored, and the oldest are first if no field is left. `queue_order` is that of the queue. */
export function toItemsOrder(sortBy: readonly SortBy[] | null, queueOrder: AnnotationItemOrder): ItemSortKey[] {
  const requested = knownKeys(sortBy, [...itemSortFields, 'queue_order']).flatMap(({ field, direction }): ItemSortKey[] => {
    if (field !== 'queue_order') return [{ field, direction }]
    const keys = orderOfClaims(queueOrder)
    return direction === 'asc' ? keys : keys.map((key) => ({ ...key, direction: key.direction === 'asc' ? 'desc' : 'asc' }))
  })
  return complete<ItemSortKey>(requested.length === 0 ? [{ field: 'created_at', direction: 'asc' }] : requested)
}

/** The order in which the items of a queue are claimed, which is complete. */
export function orderOfClaims(order: AnnotationItemOrder): ItemSortKey[] {
  const direction = order === 'newest' ? 'desc' : 'asc'
  return [
    { field: order === 'random' ? 'random_digits' : 'created_at', direction },
    { field: 'id', direction },
  ]
}

/** True for a `sort_by` with `queue_order`. */
export const asksForQueueOrder = (sortBy: readonly SortBy[] | null) => sortBy?.some(({ field }) => field === 'queue_order') ?? false

interface Key<F extends string> {
  field: F
  direction: 'asc' | 'desc'
}

/** The keys that are known, each once: a later key of the same field decides nothing. */
function knownKeys<F extends string>(sortBy: readonly SortBy[] | null, fields: readonly F[]): Key<F>[] {
  const known = (sortBy ?? []).flatMap(({ field: requested, direction }): Key<F>[] => {
    const field = fields.find((each) => each === requested)
    return field === undefined ? [] : [{ field, direction }]
  })
  return known.filter(({ field }, at) => known.findIndex((key) => key.field === field) === at)
}

/** With the id as the last key, so that no two are equal. */
function complete<K extends Key<string>>(keys: K[]): K[] {
  return keys.some(({ field }) => field === 'id') ? keys : [...keys, { field: 'id', direction: 'asc' } as K]
}
