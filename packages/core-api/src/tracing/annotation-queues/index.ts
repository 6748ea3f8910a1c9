import { z } from 'zod'
import { defineResource } from '../../operation.ts'
import { listOf, tooManyToMatch } from '../../shapes/bounded.ts'
import { Identifier } from '../../shapes/identifier.ts'
import { lenientIntBetween } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { AnnotationItemsFilter, AnnotationItemsQuery, AnnotationQueuesQuery } from './annotation-queue-queries.ts'
import { AnnotationItemOrder, AnnotationQueue, AnnotationQueueItem, AnnotationQueueStats } from './annotation-queue-records.ts'

const QueuePath = z.object({ queue_id: Identifier.describe('Id of the queue') })
const ItemPath = QueuePath.extend({ item_id: Identifier.describe('Id of the item') })
const InProject = z.object({ project_id: ProjectId })

const name = z.string().describe('Name; not empty, at most 1024 characters. Several queues may have the same')
const description = z.string().describe('What the queue is for; at most 65,536 characters')
const scorerRefs = listOf(z.string(), 1000, tooManyToMatch).describe(
  'References to the annotation specs or scorers by which calls are judged, at most 1000. They are not checked',
)
const reviewersPerItem = lenientIntBetween(1, 20)
const reservationMinutes = lenientIntBetween(1, 1_440)
const leaseSeconds = lenientIntBetween(1, 86_400)
const OneItem = z.object({ item: AnnotationQueueItem })
const OneQueue = z.object({ queue: AnnotationQueue })

/** Queues of calls to review, and the progress of each annotator. Annotations are stored as feedback. */
export const annotationQueues = defineResource('Queues of calls that people review', {
  create: {
    method: 'POST',
    path: '/annotation_queues',
    effect: 'write',
    repeat: 'adds',
    summary: 'Create an annotation queue',
    description: 'A project can have at most 10,000 queues that are not deleted.',
    body: z.object({
      project_id: ProjectId,
      name,
      description: orDefault(description, '').describe('What the queue is for; at most 65,536 characters. Null: empty'),
      scorer_refs: scorerRefs,
      reviewers_per_item: orDefault(reviewersPerItem, 1).describe(
        'How many different people must complete or skip an item before it counts as completed, from 1 to 20',
      ),
      reservation_minutes: orDefault(reservationMinutes, 10).describe(
        'For how long a claim holds an item where the request names no time, from 1 minute to 1,440',
      ),
      item_order: orDefault(AnnotationItemOrder, 'oldest').describe('Order in which items are claimed'),
      wb_user_id: orNull(z.string()).describe('Ignored: the server sets the user from the credential'),
    }),
    output: z.object({ id: z.string().describe('Id of the queue') }),
  },
  streamQuery: {
    method: 'POST',
    path: '/annotation_queues/query',
    effect: 'read',
    summary: 'Find annotation queues',
    description: 'Streams one queue per line, in the requested order. Deleted queues are not returned.',
    body: AnnotationQueuesQuery,
    output: AnnotationQueue,
    stream: 'jsonl',
  },
  stats: {
    method: 'POST',
    path: '/annotation_queues/stats',
    effect: 'read',
    summary: 'Count the items of annotation queues',
    body: z.object({
      project_id: ProjectId,
      queue_ids: listOf(Identifier, 1000, tooManyToMatch).describe(
        'Ids of queues, at most 1000; deleted ones count too, and unknown ones have no items',
      ),
    }),
    output: z.object({ stats: z.array(AnnotationQueueStats).describe('One per id, in the order of the request') }),
  },
  read: {
    method: 'GET',
    path: '/annotation_queues/{queue_id}',
    effect: 'read',
    summary: 'Read an annotation queue',
    params: QueuePath,
    query: InProject,
    output: OneQueue,
  },
  update: {
    method: 'PUT',
    path: '/annotation_queues/{queue_id}',
    effect: 'write',
    summary: 'Change an annotation queue',
    params: QueuePath,
    body: z.object({
      project_id: ProjectId,
      name: orNull(name).describe('New name. Null: unchanged'),
      description: orNull(description).describe('New description. Null: unchanged'),
      scorer_refs: orNull(scorerRefs).describe('New references, at most 1000. Null: unchanged'),
      reviewers_per_item: orNull(reviewersPerItem).describe(
        'New number of people, from 1 to 20. Items count as completed, or no longer do, by what people have done already. Null: unchanged',
      ),
      reservation_minutes: orNull(reservationMinutes).describe('New minutes, from 1 to 1,440; claims keep their end. Null: unchanged'),
      item_order: orNull(AnnotationItemOrder).describe('New order. Null: unchanged'),
      wb_user_id: orNull(z.string()).describe('Ignored: the server sets the user from the credential'),
    }),
    output: OneQueue,
  },
  delete: {
    method: 'DELETE',
    path: '/annotation_queues/{queue_id}',
    effect: 'destroy',
    summary: 'Delete an annotation queue',
    description: 'Its items and what annotators did stay readable.',
    params: QueuePath,
    query: InProject,
    output: OneQueue,
  },
  addCalls: {
    method: 'POST',
    path: '/annotation_queues/{queue_id}/items',
    effect: 'write',
    summary: 'Add calls to an annotation queue',
    description: 'Unknown and deleted calls are ignored. A queue can have at most 50,000 items.',
    params: QueuePath,
    body: z.object({
      project_id: ProjectId,
      call_ids: listOf(Identifier, 1000, tooManyToMatch).describe('Ids of calls, at most 1000'),
      display_fields: listOf(z.string(), 100, tooManyToMatch).describe(
        'Paths of the values to show to annotators, such as `inputs.prompt`: at most 100, and 16,384 characters together',
      ),
      wb_user_id: orNull(z.string()).describe('Ignored: the server sets the user from the credential'),
    }),
    output: z.object({
      added_count: z.number().describe('Items added'),
      duplicates: z
        .number()
        .describe('Different calls that were items of the queue already. Where all were: the number of ids in the request'),
    }),
  },
  queryItems: {
    method: 'POST',
    path: '/annotation_queues/{queue_id}/items/query',
    effect: 'read',
    summary: 'Find the items of an annotation queue',
    params: QueuePath,
    body: AnnotationItemsQuery,
    output: z.object({ items: z.array(AnnotationQueueItem).describe('The items, in the requested order') }),
  },
  itemsBeside: {
    method: 'POST',
    path: '/annotation_queues/{queue_id}/items/{item_id}/beside',
    effect: 'read',
    summary: 'Find the items before and after an item of an annotation queue',
    description: 'In the order in which items are claimed (`queue_order`), whatever the size of the queue.',
    params: ItemPath,
    body: z.object({
      project_id: ProjectId,
      filter: orNull(AnnotationItemsFilter).describe(
        'Which items are before and after; the item itself need not be one of them. Null: all',
      ),
    }),
    output: z.object({
      position_in_queue: z.number().describe('Position of the item among all items of the queue, from 1'),
      previous: AnnotationQueueItem.nullable().describe('The last item before it that the filter keeps. Null: none'),
      next: AnnotationQueueItem.nullable().describe('The first item after it that the filter keeps. Null: none'),
    }),
  },
  claimItems: {
    method: 'POST',
    path: '/annotation_queues/{queue_id}/items/claim',
    effect: 'write',
    summary: 'Claim items of an annotation queue for a while',
    description:
      'Claims the first items, in the order of the queue, that are not completed, that the caller has not completed or skipped, that no other annotator has in progress and that no other caller has claimed. The items that the caller has claimed already come first, and are claimed again. A claim ends when its time is over, when its caller completes or skips the item, or when the item is completed.',
    params: QueuePath,
    body: z.object({
      project_id: ProjectId,
      limit: orDefault(lenientIntBetween(1, 100), 1).describe('Maximum number of items, from 1 to 100'),
      lease_seconds: orNull(leaseSeconds).describe(
        'Duration of the claim in seconds, from 1 to 86,400. Null: `reservation_minutes` of the queue',
      ),
    }),
    output: z.object({ items: z.array(AnnotationQueueItem).describe('The claimed items. Empty when none is left') }),
  },
  claimItem: {
    method: 'POST',
    path: '/annotation_queues/{queue_id}/items/{item_id}/claim',
    effect: 'write',
    summary: 'Claim an item of an annotation queue, or claim it for longer',
    description:
      'Where the item is not completed, the caller has not completed or skipped it, no other annotator has it in progress and no other caller has claimed it, it is claimed from now on, also where the caller has claimed it already. Otherwise nothing changes, and the answer says who holds it.',
    params: ItemPath,
    body: z.object({
      project_id: ProjectId,
      lease_seconds: orNull(leaseSeconds).describe(
        'Duration of the claim in seconds, from 1 to 86,400. Null: `reservation_minutes` of the queue',
      ),
    }),
    output: z.object({ is_claimed: z.boolean().describe('Whether the caller holds the item now'), item: AnnotationQueueItem }),
  },
  releaseItem: {
    method: 'POST',
    path: '/annotation_queues/{queue_id}/items/{item_id}/release',
    effect: 'write',
    summary: 'End the claim of the caller on an item',
    description: 'Others can claim the item at once. Nothing changes where the caller does not hold it.',
    params: ItemPath,
    body: InProject,
    output: OneItem,
  },
  updateProgress: {
    method: 'POST',
    path: '/annotation_queues/{queue_id}/items/{item_id}/progress',
    effect: 'write',
    summary: 'Set how far the caller is with an item',
    description:
      'Each annotator has a state of its own for each item. Completed and skipped are final here; `reopenItem` leads out of them. Setting the same state again changes nothing.',
    params: ItemPath,
    body: z.object({
      project_id: ProjectId,
      annotation_state: Identifier.describe('`in_progress`, `completed` or `skipped`'),
      wb_user_id: orNull(z.string()).describe('Ignored: the server sets the user from the credential'),
    }),
    output: OneItem,
  },
  reopenItem: {
    method: 'POST',
    path: '/annotation_queues/{queue_id}/items/{item_id}/reopen',
    effect: 'write',
    audit: true,
    summary: 'Reopen an item that the caller completed or skipped',
    description:
      'The state of the caller becomes `in_progress`, and its review no longer counts. What the caller entered stays. Where the caller has neither completed nor skipped the item nothing changes. The audit log keeps the request.',
    params: ItemPath,
    body: InProject,
    output: OneItem,
  },
})
