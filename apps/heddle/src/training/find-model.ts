import { isUuid } from '@heddle/core-api/internal'
import type { TrainedModel } from '@heddle/core-api/types'
import type { TrainingClient } from '../connect.ts'
import { UsageError } from '../terminal/usage-error.ts'

/** `entity/project` in its halves. @throws UsageError */
export function splitProject(text: string): { entity: string; project: string } {
  const [entity, project, ...more] = text.split('/')
  if (entity && project && more.length === 0) return { entity, project }
  throw new UsageError(`--project must be entity/project, got ${JSON.stringify(text)}`)
}

/** A model by its id, or by its name in a project. @throws UsageError when there is none */
export async function findModel(client: TrainingClient, nameOrId: string, project: string): Promise<TrainedModel> {
  const found = await findModelIfThere(client, nameOrId, project)
  if (found) return found
  throw new UsageError(
    `project ${project} has no model ${JSON.stringify(nameOrId)}; \`heddle models list --project ${project}\` lists its models`,
  )
}

/** A model by its id, or by its name in a project; undefined when no model has the name. */
export async function findModelIfThere(client: TrainingClient, nameOrId: string, project: string): Promise<TrainedModel | undefined> {
  if (isUuid(nameOrId.toLowerCase())) return client.models.read({ model_id: nameOrId })
  const { data } = await client.models.list({ ...splitProject(project), name: nameOrId, limit: 1 })
  return data[0]
}
