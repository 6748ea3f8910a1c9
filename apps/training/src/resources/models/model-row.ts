import type { TrainedModel } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'

/** A registered model as it is stored. */
export interface ModelRow {
  id: string
  /** `entity/project`. */
  project_id: string
  name: string
  base_model: string
  run_id: string | null
  created_by: string
  created_at: Micros
}

/** A model as it travels. */
export function toModel({ id, project_id, name, base_model, run_id }: ModelRow): TrainedModel {
  const [entity = '', project = ''] = project_id.split('/')
  return { id, entity, project, name, base_model, run_id }
}
