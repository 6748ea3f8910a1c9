/** How far an item of a queue is. */
export const itemStates = ['unstarted', 'in_progress', 'completed', 'skipped'] as const
export type ItemState = (typeof itemStates)[number]

export const stateNames: Readonly<Record<ItemState, string>> = {
  unstarted: 'To do',
  in_progress: 'In progress',
  completed: 'Completed',
  skipped: 'Skipped',
}
