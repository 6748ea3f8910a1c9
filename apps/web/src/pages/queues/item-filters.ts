import { itemStates, stateNames } from './item-states.ts'

/** Which items of a queue are listed, and gone through by next and previous. */
export const itemFilters = ['open', ...itemStates, 'mine'] as const
export type ItemFilter = (typeof itemFilters)[number]

export const filterNames: Readonly<Record<ItemFilter, string>> = { open: 'open', ...stateNames, mine: 'annotated by me' }

/** What the service is asked for. `mine` are the items of which the user has set a state. */
export function toServiceFilter(filter: ItemFilter | undefined, username: string) {
  if (filter === undefined) return null
  if (filter === 'open') return { is_completed: false }
  if (filter === 'mine') return { annotated_by: username }
  return { annotation_states: [filter] }
}

/** True where work on items leads out of the list, so that the next one to work on is what the service gives. */
export const isOfOpenItems = (filter: ItemFilter | undefined) => filter !== 'completed' && filter !== 'skipped' && filter !== 'mine'
