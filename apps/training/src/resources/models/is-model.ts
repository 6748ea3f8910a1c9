import { parseModelAddress } from './model-address.ts'
import type { ModelRow } from './model-row.ts'

/** Whether a text addresses the model, by its id or its name, at any step. */
export function isModel(text: string, model: Pick<ModelRow, 'id' | 'name' | 'project_id'>): boolean {
  const address = parseModelAddress(text)
  if (address.kind === 'id') return address.id === model.id
  return address.kind === 'name' && address.project === model.project_id && address.name === model.name
}
