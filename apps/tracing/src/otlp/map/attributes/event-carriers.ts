import { isTruthy, lookUp } from './look-up.ts'
import type { FoundAttribute } from './name-table.ts'
import type { ExpandedEvent } from './span-events.ts'

/** An event that supplies a value under the name of the attribute that it carries. */
export interface EventCarrier {
  /** Name of the event. */
  event: string
  /** Name of the attribute. */
  name: string
  /** The same name, split at its dots. */
  path: readonly string[]
}

/** The first value of the first carrier that has one, among all events. */
export function findCarried(carriers: readonly EventCarrier[], events: readonly ExpandedEvent[]): FoundAttribute | undefined {
  for (const { event, name, path } of carriers) {
    for (const candidate of events) {
      const value = candidate.event.name === event ? lookUp(candidate.attributes, path) : undefined
      if (value !== undefined && isTruthy(value)) return { name, value }
    }
  }
  return undefined
}
