import { z } from 'zod'
import { TimestampText } from '../../shapes/timestamp.ts'

/** In which order items are given to annotators. */
export const AnnotationItemOrder = z.enum(['oldest', 'newest', 'random'])
export type AnnotationItemOrder = z.output<typeof AnnotationItemOrder>

const deletedAt = TimestampText.nullable().describe('Null unless deleted')

/** A list of calls to review. */
export const AnnotationQueue = z
  .object({
    id: z.string().describe('UUID; later queues have greater ones'),
    project_id: z.string().describe('Project as `entity/project`'),
    name: z.string(),
    description: z.string(),
    scorer_refs: z.array(z.string()).describe('References to the annotation specs or scorers by which calls are judged'),
    reviewers_per_item: z.number().describe('How many different people must complete or skip an item before it counts as completed'),
    reservation_minutes: z.number().describe('For how long a claim holds an item where the request names no time'),
    item_order: AnnotationItemOrder.describe(
      'Order in which items are claimed: those that were added first, those that were added last, or by the random digits of their ids, which is the same order for all users',
    ),
    created_at: TimestampText,
    created_by: z.string().describe('User who created the queue'),
    updated_at: TimestampText.describe('When a field of the queue changed last'),
    deleted_at: deletedAt,
  })
  .meta({ id: 'AnnotationQueue' })
export type AnnotationQueue = z.output<typeof AnnotationQueue>

/** How far an item is. */
export const AnnotationState = z.enum(['unstarted', 'in_progress', 'completed', 'skipped'])
export type AnnotationState = z.output<typeof AnnotationState>

/** A call in a queue. */
export const AnnotationQueueItem = z
  .object({
    id: z.string().describe('UUID; later items have greater ones'),
    project_id: z.string().describe('Project as `entity/project`'),
    queue_id: z.string(),
    call_id: z.string(),
    call_started_at: TimestampText.describe('Start of the call when it was added'),
    call_ended_at: TimestampText.nullable().describe('End of the call when it was added. Null where it was running'),
    call_op_name: z.string().describe('Op of the call when it was added: a reference, or a plain name'),
    call_trace_id: z.string().describe('Trace of the call when it was added'),
    display_fields: z.array(z.string()).describe('Paths of the values to show to annotators, as they were given'),
    added_by: z.string().nullable().describe('User who added the call'),
    annotation_state: AnnotationState.describe('State that an annotator, whichever, set last'),
    annotator_user_id: z.string().nullable().describe('User who set the state. Empty until one has'),
    own_state: AnnotationState.describe('State that the caller set. `unstarted` without one'),
    review_count: z.number().describe('People who completed or skipped the item'),
    claimed_by: z.string().nullable().describe('User who holds the item. Null if the item is not claimed'),
    claimed_until: TimestampText.nullable().describe('When that claim ends. Null if the item is not claimed'),
    created_at: TimestampText,
    created_by: z.string(),
    updated_at: TimestampText.describe('When a field of the item changed last. Annotating changes none'),
    deleted_at: deletedAt,
    position_in_queue: z
      .number()
      .nullable()
      .describe('Position from 1 in the requested order, before states, limit and offset are looked at. Null unless requested'),
  })
  .meta({ id: 'AnnotationQueueItem' })
export type AnnotationQueueItem = z.output<typeof AnnotationQueueItem>

/** How much of a queue is done. */
export const AnnotationQueueStats = z
  .object({
    queue_id: z.string(),
    total_items: z.number(),
    completed_items: z.number().describe('Items that as many people completed or skipped as `reviewers_per_item` of the queue says'),
  })
  .meta({ id: 'AnnotationQueueStats' })
export type AnnotationQueueStats = z.output<typeof AnnotationQueueStats>
