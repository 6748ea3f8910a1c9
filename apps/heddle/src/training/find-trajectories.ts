import { isApiError } from '@heddle/core-api'
import type { LoggedTrajectoryGroup } from '@heddle/core-api/types'
import type { TrainingClient } from '../connect.ts'
import { idAndName, modelsOf } from './models-of.ts'

export type LoggedTrajectory = LoggedTrajectoryGroup['trajectories'][number]

/** A logged trajectory, and where it is. */
export interface FoundTrajectory {
  model: { id: string; name: string }
  group: Omit<LoggedTrajectoryGroup, 'trajectories'>
  trajectory: LoggedTrajectory
}

/** Groups of one model that share a name. */
const maxGroups = 20

/** Logged trajectories of a project with an id, their own or that of their metadata, or with a trace. Empty where nothing was logged. */
export async function findTrajectories(
  client: TrainingClient,
  project: string,
  name: { trajectory_id: string } | { trace_id: string },
): Promise<FoundTrajectory[]> {
  const found: FoundTrajectory[] = []
  for await (const model of modelsOf(client, project)) {
    const { data } = await client.trajectories.list({ model_id: model.id, limit: maxGroups, ...name })
    for (const { trajectories, ...group } of data)
      for (const trajectory of trajectories) if (isNamed(trajectory, name)) found.push({ model: idAndName(model), group, trajectory })
  }
  return found
}

/** The same for a trace; empty also where the server has no training service, or its key may not read it. */
export async function findTrajectoriesOfTrace(client: TrainingClient, project: string, traceId: string): Promise<FoundTrajectory[]> {
  return findTrajectories(client, project, { trace_id: traceId }).catch((error: unknown) => {
    if (isApiError(error) && [401, 403, 404].includes(error.status)) return []
    throw error
  })
}

function isNamed({ id, metadata }: LoggedTrajectory, name: { trajectory_id: string } | { trace_id: string }): boolean {
  if ('trace_id' in name) return metadata['trace_id'] === name.trace_id
  return id === name.trajectory_id || metadata['trajectory_id'] === name.trajectory_id
}
