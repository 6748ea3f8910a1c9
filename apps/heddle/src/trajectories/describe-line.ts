import type { Issue } from '@heddle/core-api'

/** The position of a sent group in its file. */
export interface GroupPosition {
  line: number
  /** Places in the line of the trajectories that were sent, where not all were. */
  places?: readonly number[]
}

/** An issue of a request in words of the file. Places come as `body, trajectory_groups, 0, trajectories, 1, messages_and_choices, 4, …`. */
export function describeLine({ loc, msg }: Issue, groupAt: (place: number) => GroupPosition | undefined, path: string): string {
  const [, field, place, ...rest] = loc.map(String)
  const group = field === 'trajectory_groups' ? groupAt(Number(place)) : undefined
  if (!group) return `${loc.join('.')}: ${msg}`
  const [list, trajectory, ...inside] = rest
  const sent = list === 'trajectories' && trajectory !== undefined ? group.places?.[Number(trajectory)] : undefined
  const within = sent === undefined ? rest : [list, sent, ...inside]
  return `line ${group.line} of ${path}, ${within.join('.') || 'as a whole'}: ${msg}`
}
