import { formatTimestamp, type Micros } from '@heddle/core-api'
import type { AnnotationQueue, AnnotationQueueItem } from '@heddle/core-api/types'
import type { StoredItem } from './items/annotation-items-store.ts'
import type { StoredQueue } from './queues/annotation-queues-store.ts'

/** A queue as returned. `scorer_refs` are those that the reader may see. */
export function toQueue(queue: StoredQueue, scorer_refs: string[]): AnnotationQueue {
  return {
    id: queue.id,
    project_id: queue.project_id,
    name: queue.name,
    description: queue.description,
    scorer_refs,
    reviewers_per_item: queue.reviewers_per_item,
    reservation_minutes: queue.reservation_minutes,
    item_order: queue.item_order,
    created_at: formatTimestamp(queue.created_at),
    created_by: queue.created_by,
    updated_at: formatTimestamp(queue.updated_at),
    deleted_at: timeOrNull(queue.deleted_at),
  }
}

interface ItemView {
  /** Claims that end at or before it are over. */
  now: Micros
  /** Null if it was not requested. */
  position?: number | null
}

/** An item as it is answered. */
export function toItem(item: StoredItem, { now, position = null }: ItemView): AnnotationQueueItem {
  const isHeld = item.claimed_until !== null && item.claimed_until > now
  return {
    ...item,
    claimed_by: isHeld ? item.claimed_by : null,
    claimed_until: isHeld ? timeOrNull(item.claimed_until) : null,
    call_started_at: formatTimestamp(item.call_started_at),
    call_ended_at: timeOrNull(item.call_ended_at),
    created_at: formatTimestamp(item.created_at),
    updated_at: formatTimestamp(item.updated_at),
    // No operation deletes an item.
    deleted_at: null,
    position_in_queue: position,
  }
}

function timeOrNull(time: Micros | null): string | null {
  return time === null ? null : formatTimestamp(time)
}
