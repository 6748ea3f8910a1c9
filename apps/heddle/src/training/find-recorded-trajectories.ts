import { isApiError } from '@heddle/core-api'
import type { RecordedTrajectory, RecordedTrajectoryGroup } from '@heddle/core-api/types'
import type { TrainingClient } from '../connect.ts'
import { idAndName, modelsOf } from './models-of.ts'

type Contents = RecordedTrajectoryGroup['trajectories'][number]

/** A trajectory that the server recorded. */
export interface RecordedMatch {
  model: { id: string; name: string }
  recorded: RecordedTrajectory
  /** What was said in it. Null until it has finished, and where it failed. */
  trajectory: Contents | null
}

/** A group may have 64 MiB. */
const groupTimeoutMs = 120_000

/** Trajectories of a project that the server recorded with this id, each in its model. */
export async function findRecordedTrajectories(client: TrainingClient, project: string, id: string): Promise<RecordedMatch[]> {
  const found: RecordedMatch[] = []
  for await (const model of modelsOf(client, project)) {
    const recorded = await readRecorded(client, model.id, id)
    if (recorded) found.push({ model: idAndName(model), recorded, trajectory: await readContents(client, model.id, recorded) })
  }
  return found
}

/** Recorded trajectories of one trace that are looked up in each model. */
const maxOfTrace = 20

/** Trajectories of a project that the server recorded of a trace; empty also where the server has no training service, or its key may not read it. */
export async function findRecordedOfTrace(
  client: TrainingClient,
  project: string,
  traceId: string,
): Promise<Omit<RecordedMatch, 'trajectory'>[]> {
  const found: Omit<RecordedMatch, 'trajectory'>[] = []
  try {
    for await (const model of modelsOf(client, project)) {
      const { data } = await client.recordedTrajectories.list({ model_id: model.id, trace_id: traceId, limit: maxOfTrace })
      for (const recorded of data) found.push({ model: idAndName(model), recorded })
    }
  } catch (error) {
    if (!isApiError(error) || ![401, 403, 404].includes(error.status)) throw error
  }
  return found
}

async function readRecorded(client: TrainingClient, model_id: string, trajectory_id: string): Promise<RecordedTrajectory | undefined> {
  return client.recordedTrajectories.read({ model_id, trajectory_id }).catch((error: unknown) => {
    if (isApiError(error) && error.status === 404) return undefined
    throw error
  })
}

async function readContents(
  client: TrainingClient,
  model_id: string,
  { id, group_id, status }: RecordedTrajectory,
): Promise<Contents | null> {
  if (status !== 'finished') return null
  for await (const { trajectories } of client.recordedTrajectories.groups({ model_id, group_id }, { timeoutMs: groupTimeoutMs })) {
    const contents = trajectories.find(({ metadata }) => metadata['trajectory_id'] === id)
    if (contents) return contents
  }
  return null
}
