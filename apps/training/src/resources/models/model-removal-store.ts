import type { ProjectScope } from '@heddle/identity'

export interface ModelRemovalStore {
  /** Removes checkpoints, logged and recorded trajectories of a model that is deleted, a part at a time. Returns how many rows; 0 when none is left. */
  removeSome(project: ProjectScope, modelId: string): Promise<number>
}
