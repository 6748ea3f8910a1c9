import type { TrainingEvent } from '@heddle/core-api/types'

/** Which events of a job are listed. */
export const eventChoices = ['errors', 'changes', 'steps'] as const
export type EventChoice = (typeof eventChoices)[number]

/** How important an event is. */
export type EventLevel = 'error' | 'info' | 'detail'

export function levelOf({ type }: Pick<TrainingEvent, 'type'>): EventLevel {
  if (type === 'training_failed') return 'error'
  return type === 'gradient_step' ? 'detail' : 'info'
}

/** Errors alone, changes of state with them, gradient steps alone, or all. */
export function chooseEvents(events: readonly TrainingEvent[], choice: EventChoice | undefined): readonly TrainingEvent[] {
  if (choice === undefined) return events
  if (choice === 'errors') return events.filter((event) => levelOf(event) === 'error')
  return events.filter((event) => (levelOf(event) === 'detail') === (choice === 'steps'))
}
