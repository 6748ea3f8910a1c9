import { type ApiError, isApiError, type Issue } from '@heddle/core-api'
import type { RecordedGroup } from '../trajectory/recorded.ts'

/** The training service refused groups. The message says which trajectory and which message each problem is in. */
export class GroupsRefused extends Error {
  override readonly name = 'GroupsRefused'
  readonly issues: readonly Issue[]

  constructor(cause: ApiError, groups: readonly RecordedGroup[]) {
    super(
      (cause.issues ?? [])
        .slice(0, 20)
        .map((issue) => describe(issue, groups))
        .join('; ') || cause.message,
      { cause },
    )
    this.issues = cause.issues ?? []
  }
}

/** The error with its locations in words, if it concerns the shape of the sent data. */
export function explained(error: unknown, groups: readonly RecordedGroup[]): unknown {
  return isApiError(error) && error.issues ? new GroupsRefused(error, groups) : error
}

/** Locations have the form `body, trajectory_groups, 0, trajectories, 1, messages_and_choices, 4, …`. */
function describe({ loc, msg }: Issue, groups: readonly RecordedGroup[]): string {
  const [, field, group, list, place, ...rest] = loc.map(String)
  if (field !== 'trajectory_groups' || list !== 'trajectories') return `${loc.join('.')}: ${msg}`
  const trajectory = groups[Number(group)]?.trajectories[Number(place)]
  const { metadata = {} } = (trajectory ?? {}) as Partial<RecordedGroup['trajectories'][number]>
  const name = metadata['trajectory_id'] ?? `${place} of group ${group}`
  return `trajectory ${String(name)}, ${rest.length === 0 ? 'as a whole' : rest.join('.')}: ${msg}`
}
