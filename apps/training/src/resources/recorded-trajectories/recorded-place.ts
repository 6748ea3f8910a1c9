import { badRequest, notFound } from '@heddle/core-api/internal'
import type { CallPlace, RecordedTrajectoryRow } from './recorded-trajectories-store.ts'

/** @throws ApiError 400 where the trajectory has finished, or is of another group or rollout */
export function assertSamePlace({ trajectoryId, groupId, rolloutId }: CallPlace, row: RecordedTrajectoryRow): void {
  const name = `trajectory ${JSON.stringify(trajectoryId)}`
  if (row.status !== 'open') throw badRequest(`${name} has finished and takes no further calls; give each attempt an id of its own`)
  if (row.group_id !== groupId)
    throw badRequest(
      `${name} belongs to group ${JSON.stringify(row.group_id)}, not ${JSON.stringify(groupId)}; send the same x-heddle-group-id`,
    )
  if (row.rollout_id !== rolloutId)
    throw badRequest(
      `${name} belongs to rollout ${JSON.stringify(row.rollout_id)}, not ${JSON.stringify(rolloutId)}; send the same x-heddle-rollout-id`,
    )
}

export const noSuchTrajectory = (id: string) =>
  notFound(
    `recorded trajectory ${JSON.stringify(id.slice(0, 200))} of this model not found; the header x-heddle-trajectory-id of its chat completions names it`,
  )
