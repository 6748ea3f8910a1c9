import type { ApiError } from '@heddle/core-api'
import { badRequest, notFound } from '@heddle/core-api/internal'
import type { CallPlace, RecordedTrajectoryRow } from './recorded-trajectories-store.ts'

/** Whether a trajectory takes calls of this group and rollout. */
export const takesCalls = ({ groupId, rolloutId }: CallPlace, row: RecordedTrajectoryRow): boolean =>
  row.status === 'open' && row.group_id === groupId && row.rollout_id === rolloutId

/** Why a trajectory takes no calls of this group and rollout: it has finished, or is of others. 400. */
export function takesNoCalls({ trajectoryId, groupId, rolloutId }: CallPlace, row: RecordedTrajectoryRow): ApiError {
  const name = `trajectory ${JSON.stringify(trajectoryId)}`
  if (row.status !== 'open') return badRequest(`${name} is finished and accepts no more calls; use a new id for each attempt`)
  if (row.group_id !== groupId)
    return badRequest(
      `${name} belongs to group ${JSON.stringify(row.group_id)}, not ${JSON.stringify(groupId)}; send the same x-heddle-group-id`,
    )
  return badRequest(
    `${name} belongs to rollout ${JSON.stringify(row.rollout_id)}, not ${JSON.stringify(rolloutId)}; send the same x-heddle-rollout-id`,
  )
}

export const noSuchTrajectory = (id: string) =>
  notFound(
    `recorded trajectory ${JSON.stringify(id.slice(0, 200))} of this model not found; the header x-heddle-trajectory-id of its chat completions names it`,
  )
