import { z } from 'zod'
import { listOf, tooManyEntries } from '../../shapes/bounded.ts'
import { Identifier } from '../../shapes/identifier.ts'
import { LenientInt } from '../../shapes/lenient.ts'
import { orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { QueryExpression } from '../../shapes/query-expression.ts'
import { SortBy } from '../../shapes/sort.ts'

/** Which feedback, in which order, with which of its fields. */
export const FeedbackQuery = z.object({
  project_id: ProjectId,
  fields: orNull(listOf(Identifier, 200)).describe(
    'Fields to return; a path such as `payload.note` returns its value as text under that name. Null or empty: all',
  ),
  query: orNull(QueryExpression).describe('Which feedback. Null: all'),
  sort_by: orNull(listOf(SortBy, 32, tooManyEntries)).describe('Order. Null: by creation, ascending'),
  limit: orNull(LenientInt).describe('Maximum number of results. Null: all'),
  offset: orNull(LenientInt).describe('Feedback to skip first'),
})
export type FeedbackQuery = z.output<typeof FeedbackQuery>
