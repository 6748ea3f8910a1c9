import { z } from 'zod'
import { listOf, tooManyToMatch } from '../../shapes/bounded.ts'
import { Identifier } from '../../shapes/identifier.ts'
import { LenientBoolean, LenientInt } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { SortBy } from '../../shapes/sort.ts'

/** Which queues, in which order. */
export const AnnotationQueuesQuery = z.object({
  project_id: ProjectId,
  name: orNull(Identifier).describe('Only queues with this text in their name, in any case. Null or empty: all'),
  sort_by: orNull(listOf(SortBy, 32)).describe(
    'Order by `id`, `name`, `created_at` and `updated_at`; other fields are ignored. Null: by `created_at`, descending',
  ),
  limit: orNull(LenientInt).describe('Maximum number of queues. Null: all'),
  offset: orNull(LenientInt).describe('Queues to skip first'),
})
export type AnnotationQueuesQuery = z.output<typeof AnnotationQueuesQuery>

const exact = (meaning: string) => orNull(Identifier).describe(`${meaning}. Null: any`)

/** Which items. All given parts must hold. */
export const AnnotationItemsFilter = z
  .object({
    id: exact('Id of the item'),
    call_id: exact('Id of the call'),
    call_op_name: exact('Op of the call'),
    call_trace_id: exact('Trace of the call'),
    added_by: exact('User who added the call'),
    annotated_by: orNull(Identifier).describe('User who has set a state of the item. Null: any user, or none'),
    is_completed: orNull(LenientBoolean).describe(
      'True: as many people completed or skipped it as the queue needs. False: fewer did. Null: either',
    ),
    annotation_states: orNull(listOf(Identifier, 1000, tooManyToMatch)).describe('Any of these states, at most 1000. Null or empty: any'),
  })
  .meta({ id: 'AnnotationItemsFilter' })
export type AnnotationItemsFilter = z.output<typeof AnnotationItemsFilter>

/** Which items of a queue, in which order. */
export const AnnotationItemsQuery = z.object({
  project_id: ProjectId,
  filter: orNull(AnnotationItemsFilter).describe('Which items'),
  sort_by: orNull(listOf(SortBy, 32)).describe(
    'Order by `call_started_at`, `call_op_name`, `created_at`, `updated_at`, or `queue_order`, in which items are claimed; other fields are ignored. Null: by `created_at`',
  ),
  limit: orNull(LenientInt).describe('Maximum number of items. Null: all, at most 10,000'),
  offset: orNull(LenientInt).describe('Items to skip first'),
  include_position: orDefault(LenientBoolean, false).describe('Fill `position_in_queue`'),
})
export type AnnotationItemsQuery = z.output<typeof AnnotationItemsQuery>
