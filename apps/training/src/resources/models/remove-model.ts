import type { JobHandler } from '@heddle/jobs'
import type { ModelRemovalStore } from './model-removal-store.ts'

/** Kind of the jobs that remove what deleted models left. */
export const modelRemovalKind = 'remove_model'

/** A job that removes the data of a deleted model, of any size. It may be repeated from the start: removed data is not found again. */
export function createRemoveModel(removal: ModelRemovalStore): JobHandler {
  return async ({ project, payload }, { signal }) => {
    const { model_id } = payload as { model_id: string }
    let removed = 0
    for (let some = 1; some > 0; removed += some) {
      signal.throwIfAborted()
      some = await removal.removeSome(project, model_id)
    }
    return { removed }
  }
}
