import type { CallsView } from './read-calls.ts'
import { neededPayloads, selectedFields } from './selected-fields.ts'

/** A view of some stored columns, to which nothing is added. */
export function viewOfColumns(
  columns: readonly string[],
  { present, failuresBelow }: Pick<CallsView, 'present' | 'failuresBelow'>,
): CallsView {
  const fields = selectedFields({ columns, include_costs: false, include_usernames: false })
  return {
    fields,
    payloads: neededPayloads(fields),
    pricesOf: undefined,
    storageSize: false,
    totalStorageSize: false,
    usernames: false,
    maxTextLength: undefined,
    failuresBelow,
    feedbackOf: undefined,
    present,
    kept: undefined,
  }
}
