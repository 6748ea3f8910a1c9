import { z } from 'zod'
import { listOf, tooManyEntries } from '../../shapes/bounded.ts'
import { CallsFilter } from '../../shapes/calls-filter.ts'
import { Identifier } from '../../shapes/identifier.ts'
import { LenientBoolean, LenientInt, lenientIntBetween } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { QueryExpression } from '../../shapes/query-expression.ts'
import { SortBy } from '../../shapes/sort.ts'

const flag = (meaning: string) => orDefault(LenientBoolean, false).describe(meaning)

const chosenCalls = {
  project_id: ProjectId,
  filter: orNull(CallsFilter).describe('Which calls'),
  query: orNull(QueryExpression).describe('Additional condition; both must match'),
}

const expandColumns = orNull(listOf(Identifier, 100, tooManyEntries)).describe('Paths, shallowest first, whose refs are followed')

/** Which calls, in which order, with which of their fields. */
export const CallsQuery = z.object({
  ...chosenCalls,
  sort_by: orNull(listOf(SortBy, 32, tooManyEntries)).describe('Order. Null: by start, then id, ascending'),
  limit: orNull(LenientInt).describe('Maximum number of calls. Null: all'),
  offset: orNull(LenientInt).describe('Calls to skip first'),
  include_costs: flag(
    'Fill `summary.weave.costs`, and `summary.weave.cost_details` with the cost by model as totals count it and the name of its price',
  ),
  include_feedback: flag('Fill `summary.weave.feedback`'),
  include_storage_size: flag('Fill `storage_size_bytes`'),
  include_total_storage_size: flag('Fill `total_storage_size_bytes` of roots'),
  latest_only: flag('No effect: calls are always read in their latest state'),
  include_usernames: flag('Fill `wb_username` where the user is known'),
  columns: orNull(listOf(Identifier, 1000)).describe('Fields to return; a path selects its top-level field. Null or empty: all'),
  max_text_length: orNull(lenientIntBetween(1, 100_000)).describe(
    'Texts within the payloads, and `exception`, that have more characters (code points) are cut to so many and end in `…`; `cut_fields` names the fields. JSON text within a text is cut within. For lists that show the start of texts. Null: all texts are whole',
  ),
  expand_columns: expandColumns,
  return_expanded_column_values: orDefault(LenientBoolean, true).describe('False: expanded paths are used only for filtering and sorting'),
})
export type CallsQuery = z.output<typeof CallsQuery>

/** Which calls to count. */
export const CallsCount = z.object({
  ...chosenCalls,
  limit: orNull(LenientInt).describe('Maximum to count. Null: all'),
  include_total_storage_size: flag('Fill `total_storage_size_bytes`'),
  expand_columns: expandColumns,
})
export type CallsCount = z.output<typeof CallsCount>

/** Which call to read. */
export const CallRead = z.object({
  project_id: ProjectId,
  id: Identifier.describe('Id of the call'),
  include_costs: flag(
    'Fill `summary.weave.costs`, and `summary.weave.cost_details` with the cost by model as totals count it and the name of its price',
  ),
  include_storage_size: flag('Fill `storage_size_bytes`'),
  include_total_storage_size: flag('Fill `total_storage_size_bytes` of a root'),
})
export type CallRead = z.output<typeof CallRead>
