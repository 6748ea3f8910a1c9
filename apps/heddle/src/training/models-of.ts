import type { TrainedModel } from '@heddle/core-api/types'
import type { TrainingClient } from '../connect.ts'
import { entriesOf } from './entries-of.ts'
import { splitProject } from './find-model.ts'

/** The models of a project, `entity/project`, in the order of their registration. */
export function modelsOf(client: TrainingClient, project: string, options: { signal?: AbortSignal } = {}): AsyncGenerator<TrainedModel> {
  return entriesOf((after) => client.models.list({ ...splitProject(project), after, limit: 100 }, options))
}

/** What the results of a search over models name of each. */
export const idAndName = ({ id, name }: TrainedModel) => ({ id, name })
