import type { PayloadColumn } from '../calls-store.ts'

/** The parts of a query that determine the fields of its answers. */
export interface FieldSelection {
  columns: readonly string[] | null
  include_costs: boolean
  include_usernames: boolean
}

/** Fields that are shown together with the summary. */
const shownWithSummary = ['ended_at', 'exception', 'display_name']

/**
 * Top-level fields that an answer shows. A path selects its first part, and `x_dump` means `x`; costs require the summary, the summary requires the
 * sources of its derived block, and names of users require their ids. Undefined = all, also for an empty list.
 */
export function selectedFields({ columns, include_costs, include_usernames }: FieldSelection): ReadonlySet<string> | undefined {
  if (columns === null || columns.length === 0) return undefined
  const fields = new Set(columns.map((column) => (column.split('.', 1)[0] ?? '').replace(/_dump$/, '')))
  if (include_costs) fields.add('summary')
  if (include_usernames) fields.add('wb_user_id')
  if (fields.has('summary')) for (const name of shownWithSummary) fields.add(name)
  return fields
}

/** Payload columns that must be read to show the fields. */
export function neededPayloads(fields: ReadonlySet<string> | undefined): Set<PayloadColumn> {
  const needed = new Set<PayloadColumn>()
  for (const name of ['attributes', 'inputs', 'output', 'summary'] as const) if (fields === undefined || fields.has(name)) needed.add(name)
  // The raw span is shown in the attributes, and repeats parts of the other payloads.
  if (needed.has('attributes')) for (const name of ['otel', 'inputs', 'output', 'summary'] as const) needed.add(name)
  return needed
}
