import type { Micros, WorkScope } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { CheckpointFiles } from '../../checkpoint-files/stored-files.ts'
import type { NewCheckpoint } from '../checkpoints/checkpoint-row.ts'

type Work = Pick<WorkScope, 'signal'>

/** A model that a client trains step by step. */
export interface RunRow {
  /** `session:train:number`. */
  id: string
  project_id: string
  model_id: string
  /** The base model as the client named it, such as `org/model`. */
  named_base_model: string
  /** Of its adapter; null where every weight is trained. */
  rank: number | null
  user_metadata: Readonly<Record<string, string>> | null
  created_by: string
  created_at: Micros
}

/** A run with what its model is. */
export interface ListedRun extends RunRow {
  model_name: string
  base_model: string
}

/** Weights with the state of the optimizer, or weights alone. */
export type WeightsKind = 'weights' | 'sampler_weights'

export interface WeightsAddress {
  run_id: string
  kind: WeightsKind
  name: string
}

export interface WeightsRow extends WeightsAddress {
  id: string
  step: number
  /** Empty for `sampler_weights`. */
  state_files: CheckpointFiles
  user_metadata: Readonly<Record<string, string>> | null
  created_at: Micros
  /** When the address is removed; null: never. */
  expires_at: Micros | null
}

/** Saved weights with the size of their checkpoint. */
export interface ListedWeights extends WeightsRow {
  model_id: string
  size_bytes: number
}

export interface ToSave {
  /** New checkpoint of the model. Its step is set: one above all that the model ever had. Null: the weights are those of `row.step` already. */
  checkpoint: Omit<NewCheckpoint, 'step'> | null
  /** What is saved under an address; null for weights of a sampling session. */
  row: WeightsRow | null
  /** Replace the row at the address. */
  overwrites: boolean
}

export interface OffsetPage {
  limit: number
  offset: number
}

/** Runs and weights of projects that the caller has opened. */
export interface TinkerStore {
  addRun(project: ProjectScope, row: RunRow): Promise<void>
  /** A run of any project: the caller opens the project. */
  findRun(work: Work, id: string): Promise<ListedRun | undefined>
  /** Of some projects, the newest first, and how many there are. */
  listRuns(work: Work, projectIds: readonly string[], page: OffsetPage): Promise<{ rows: ListedRun[]; total: number }>
  /**
   * Adds a checkpoint of the model, and its address, both or none; returns the step.
   * @throws ApiError 400 if the model was deleted, a training job of it has not ended, or the address is taken
   */
  save(work: WorkScope, modelId: string, save: ToSave): Promise<number>
  find(work: Work, address: WeightsAddress, now: Micros): Promise<ListedWeights | undefined>
  /** Of some runs, or of all runs of some projects, the newest first, and how many there are. */
  listWeights(
    work: Work,
    within: { runIds: readonly string[] } | { projectIds: readonly string[] },
    page: OffsetPage & { now: Micros },
  ): Promise<{ rows: ListedWeights[]; total: number }>
  /** False if there are none. */
  remove(work: Work, address: WeightsAddress): Promise<boolean>
  /** Removes addresses that have expired, at most some hundred. Returns how many. */
  sweep(now: Micros): Promise<number>
}
