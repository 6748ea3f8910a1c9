import type { Condition } from '../filter/call-condition.ts'

/** The conditions that calls of a part of a time meet. */
export const callsOfTime = ({ startedAt, endedAt }: { startedAt: string; endedAt: string }): Condition[] => [
  { path: 'started_at', operator: '>=', value: startedAt },
  { path: 'started_at', operator: '<', value: endedAt },
]
