import type { Handlers, tracing } from '@heddle/core-api'
import { type AnnotationItemsFilter, badRequest, notFound, tooLarge } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { TracingContext } from '../../context.ts'
import { type AnnotationItemsStore, itemFilterFields, type ItemsMatch, type StoredItem } from './items/annotation-items-store.ts'
import { asksForQueueOrder, orderOfClaims, toItemsOrder } from './annotation-order.ts'
import type { AnnotationProgressStore } from './progress/annotation-progress-store.ts'
import type { AnnotationQueuesStore } from './queues/annotation-queues-store.ts'
import { toItem } from './annotation-records.ts'
import { checkDisplayFields, checkPage } from './queues/check-queue.ts'
import { isReview, isStep, readSetState } from './progress/next-progress.ts'
import type { QueuedCallsStore } from './items/queued-calls-store.ts'
import { unknownQueue } from './queues/annotation-queues-handlers.ts'

type ItemOperation =
  | 'addCalls'
  | 'queryItems'
  | 'itemsBeside'
  | 'claimItems'
  | 'claimItem'
  | 'releaseItem'
  | 'updateProgress'
  | 'reopenItem'
type AnnotationQueues = (typeof tracing)['annotationQueues']

/** Items of one answer. */
const maxAnswered = 10_000

export interface AnnotationItemsDeps {
  queues: Pick<AnnotationQueuesStore, 'find'>
  items: AnnotationItemsStore
  progress: AnnotationProgressStore
  calls: QueuedCallsStore
  clock: () => Micros
}

/** Operations on the items of queues. */
export function annotationItemsHandlers({
  queues,
  items,
  progress,
  calls,
  clock,
}: AnnotationItemsDeps): Handlers<Pick<AnnotationQueues, ItemOperation>, TracingContext> {
  return {
    async addCalls({ project_id, queue_id, call_ids, display_fields }, context) {
      const project = await context.open(project_id)
      checkDisplayFields(display_fields)
      if ((await queues.find(project, queue_id)) === undefined) throw unknownQueue(queue_id)
      const ids = [...new Set(call_ids)]
      const added = await items.add(project, {
        queue_id,
        call_ids: ids,
        calls: await calls.find(project, ids),
        display_fields,
        added_by: context.caller.userId,
        at: clock(),
      })
      if (added === undefined) throw unknownQueue(queue_id)
      // Where every id was in the queue, the answer has the number of ids in the request.
      return { added_count: added.added, duplicates: added.known === ids.length ? call_ids.length : added.known }
    },

    async queryItems({ project_id, queue_id, filter, sort_by, limit, offset, include_position }, context) {
      const project = await context.open(project_id)
      checkPage({ limit, offset })
      const queue = asksForQueueOrder(sort_by) ? await queues.find(project, queue_id) : undefined
      const found = await items.select(project, {
        queue_id,
        caller: context.caller.userId,
        ...toItemsMatch(filter),
        order: toItemsOrder(sort_by, queue?.item_order ?? 'oldest'),
        limit: Math.min(limit ?? Number.POSITIVE_INFINITY, maxAnswered + 1),
        offset: offset ?? 0,
      })
      if (found.length > maxAnswered) throw tooLarge(`more than ${maxAnswered} items match; ask for fewer at a time by limit and offset`)
      const now = clock()
      return { items: found.map(({ item, position }) => toItem(item, { now, position: include_position ? position : null })) }
    },

    async itemsBeside({ project_id, queue_id, item_id, filter }, context) {
      const project = await context.open(project_id)
      const queue = await queues.find(project, queue_id)
      const order = orderOfClaims(queue?.item_order ?? 'oldest')
      const place = { queue_id, item_id, caller: context.caller.userId, ...toItemsMatch(filter), order }
      const { position, previous, next } = existing(await items.beside(project, place), place)
      const now = clock()
      const itemOf = (item: StoredItem | null) => (item === null ? null : toItem(item, { now }))
      return { position_in_queue: position, previous: itemOf(previous), next: itemOf(next) }
    },

    async claimItems({ project_id, queue_id, limit, lease_seconds }, context) {
      const project = await context.open(project_id)
      const now = clock()
      const claimed = await progress.claim(project, { queue_id, caller: context.caller.userId, now, lease_seconds, limit })
      if (claimed === undefined) throw unknownQueue(queue_id)
      return { items: claimed.map((item) => toItem(item, { now })) }
    },

    async claimItem({ project_id, queue_id, item_id, lease_seconds }, context) {
      const project = await context.open(project_id)
      const now = clock()
      const claim = { queue_id, item_id, caller: context.caller.userId, now, lease_seconds }
      const { item, isClaimed } = existing(await progress.claimOne(project, claim), claim)
      return { is_claimed: isClaimed, item: toItem(item, { now }) }
    },

    async releaseItem({ project_id, queue_id, item_id }, context) {
      const project = await context.open(project_id)
      const held = { queue_id, item_id, caller: context.caller.userId }
      return { item: toItem(existing(await progress.release(project, held), held), { now: clock() }) }
    },

    async updateProgress({ project_id, queue_id, item_id, annotation_state }, context) {
      const project = await context.open(project_id)
      const to = readSetState(annotation_state)
      const change = { queue_id, item_id, annotator: context.caller.userId, to, at: clock() }
      const item = await progress.set(project, { ...change, decide: (own) => isStep(own, to) })
      if (item === undefined) throw badRequest(missing(change))
      return { item: toItem(item, { now: clock() }) }
    },

    async reopenItem({ project_id, queue_id, item_id }, context) {
      const project = await context.open(project_id)
      const change = { queue_id, item_id, annotator: context.caller.userId, to: 'in_progress' as const, at: clock() }
      const item = existing(await progress.set(project, { ...change, decide: isReview }), change)
      return { item: toItem(item, { now: clock() }) }
    },
  }
}

function toItemsMatch(filter: AnnotationItemsFilter | null): ItemsMatch {
  const states = filter?.annotation_states ?? []
  return {
    fields: Object.fromEntries(itemFilterFields.flatMap((name) => (typeof filter?.[name] === 'string' ? [[name, filter[name]]] : []))),
    states,
    annotatedBy: filter?.annotated_by ?? null,
    isFinished: filter?.is_completed ?? null,
  }
}

interface NamedItem {
  queue_id: string
  item_id: string
}

const missing = ({ queue_id, item_id }: NamedItem) => `Queue item '${item_id}' not found in queue '${queue_id}'`

/** @throws 404 for undefined */
function existing<T>(value: T | undefined, named: NamedItem): T {
  if (value === undefined) throw notFound(missing(named))
  return value
}
