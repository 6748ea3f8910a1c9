import { createTrainingJob, trainableGroups } from '@heddle/agent-instrumentation/from-traces'
import { createClient } from '@heddle/core-api/client'
import { trainingRoutes } from '@heddle/core-api/routes'
import { queryOptions } from '@tanstack/react-query'
import { serverUrl } from '../../lib/server/base-path.ts'
import { client } from '../../lib/server/client.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import { maxModels, trainingClient } from '../../features/training/training-queries.ts'
import type { Learner } from './choose-learner.tsx'
import { toTrainingConfig } from './to-gather-options.ts'
import type { Preflight } from './use-preflight.ts'

export const baseModelsQuery = queryOptions({
  queryKey: ['base-models'],
  queryFn: async ({ signal }) => (await trainingClient.baseModels.list({ limit: maxModels }, { signal })).data,
})

/** Names of scorers that are offered. */
const maxScorers = 100

/** Names of the newest scorers of a project. */
export const scorerNamesQuery = ({ id: project_id }: ProjectName) =>
  queryOptions({
    queryKey: ['scorer-names', project_id],
    queryFn: async ({ signal }) => {
      const filter = { latest_only: true, is_op: false, base_object_classes: ['Scorer'] }
      const query = { project_id, filter, limit: maxScorers, metadata_only: true }
      return (await client.objects.query(query, { signal })).objs.map(({ object_id }) => object_id)
    },
  })

/** A request with trajectories may be 256 MiB. */
const uploader = createClient({ baseUrl: serverUrl(), routes: trainingRoutes, timeoutMs: 600_000 })

/** Registers a new model if one was requested, and starts the job. Returns its id. */
export async function startJob(
  { entity, project }: ProjectName,
  learner: Learner,
  { settings, collected, key }: Preflight,
): Promise<string> {
  const modelId = 'id' in learner ? learner.id : (await registerModel(entity, project, learner)).id
  return createTrainingJob(uploader, modelId, trainableGroups(collected.groups), toTrainingConfig(settings), key)
}

/** The same name and base model are the same model, so that a job that could not be started can be tried again. */
const registerModel = (entity: string, project: string, { name, baseModel: base_model }: { name: string; baseModel: string }) =>
  trainingClient.models.create({ entity, project, name: name.trim(), base_model, return_existing: true })
