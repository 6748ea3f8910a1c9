import { itemStates, stateNames } from './item-states.ts'

/** Which items of a queue are listed, and paged through by next and previous. */
export const itemFilters = ['open', ...itemStates, 'mine'] as const
export type ItemFilter = (typeof itemFilters)[number]

export const filterNames: Readonly<Record<ItemFilter, string>> = { open: 'Open', ...stateNames, mine: 'Annotated by me' }

/** The filter for the service. `mine` are the items of which the user has set a state. */
export function toServiceFilter(filter: ItemFilter | undefined, username: string) {
  if (filter === undefined) return null
  if (filter === 'open') return { is_completed: false }
  if (filter === 'mine') return { annotated_by: username }
  return { annotation_states: [filter] }
}

/** True if finished items leave the list, so that the service selects the next one. */
export const isOfOpenItems = (filter: ItemFilter | undefined) => filter !== 'completed' && filter !== 'skipped' && filter !== 'mine'
