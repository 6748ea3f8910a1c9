import type { Trajectory, TrajectoryCarrier } from '../context/trajectory.ts'

/** Ids of a trajectory, and of the span that continues it. */
export interface CarriedPlace extends Pick<Trajectory, 'id' | 'groupId' | 'rolloutId' | 'attemptIndex'> {
  /** W3C trace context; undefined where nothing traces. */
  traceparent: string | undefined
}

const names = {
  id: 'x-heddle-trajectory-id',
  groupId: 'x-heddle-group-id',
  rolloutId: 'x-heddle-rollout-id',
  attemptIndex: 'x-heddle-attempt-index',
  traceparent: 'traceparent',
} as const

export function toCarrier({ id, groupId, rolloutId, attemptIndex, traceparent }: CarriedPlace): TrajectoryCarrier {
  return {
    [names.id]: id,
    [names.groupId]: groupId,
    [names.rolloutId]: rolloutId,
    [names.attemptIndex]: String(attemptIndex),
    ...(traceparent !== undefined && { [names.traceparent]: traceparent }),
  }
}

/** Names in any case, as headers arrive. @throws TypeError that names what is missing or wrong */
export function readCarrier(carrier: Readonly<Record<string, unknown>>): CarriedPlace {
  const given = new Map(Object.entries(carrier).map(([name, value]) => [name.toLowerCase(), value]))
  const text = (name: string) => {
    const value = given.get(name)
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`the carrier of a trajectory has no ${name}; pass on all of what trajectory.toCarrier() returned`)
    return value
  }
  const index = text(names.attemptIndex)
  if (!/^\d{1,9}$/.test(index))
    throw new TypeError(`${names.attemptIndex} of a carrier must be a whole number, got ${JSON.stringify(index)}`)
  const traceparent = given.get(names.traceparent)
  return {
    id: text(names.id),
    groupId: text(names.groupId),
    rolloutId: text(names.rolloutId),
    attemptIndex: Number(index),
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
  }
}
