import type { Database, WorkScope } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { RepeatableRequest } from '../../repeats/repeats-store.ts'
import type { ModelRow } from './model-row.ts'

type Work = Pick<WorkScope, 'signal'>

export interface NewModel {
  row: ModelRow
  /** Id of its checkpoint of step 0. */
  checkpointId: string
  repeat: RepeatableRequest | undefined
}

export interface ModelsFilter {
  name: string | null
  /** Id of the last model of the page before. */
  after: string | null
  limit: number
}

/** How a deletion ends the jobs of the model. */
export interface ModelEnd {
  at: number
  reason: string
  newId: () => string
}

/** Ends the unfinished jobs of a model, in the transaction that deletes it, and releases their inputs. Returns their ids in the queue. */
export type EndJobsOfModel = (transaction: Database, modelId: string, end: ModelEnd) => Promise<string[]>

/** What the deletion of a model ended. */
export interface DeletedModel {
  checkpoints: number
  /** Jobs in the queue that had not ended. */
  queueJobIds: string[]
}

export interface ModelsStore {
  /** Stores the model with its checkpoint of step 0, or finds the one with its name: of two concurrent calls, one stores it. */
  create(project: ProjectScope, model: NewModel): Promise<{ row: ModelRow; isNew: boolean }>
  /** A model of any project: the caller opens the project. */
  find(work: Work, id: string): Promise<ModelRow | undefined>
  findByName(project: ProjectScope, name: string): Promise<ModelRow | undefined>
  /** Models of the projects, ordered by registration. @throws ApiError 404 if there is no model `after` */
  list(work: Work, projectIds: readonly string[], filter: ModelsFilter): Promise<ModelRow[]>
  /** Ids of at most `limit` projects of an entity that have models. */
  listProjects(work: Work, entity: string, limit: number): Promise<string[]>
  /**
   * Removes the model, fails its jobs with the reason, and leaves its checkpoints and trajectories, which can no longer be found, to a job. Undefined
   * if it was deleted already.
   */
  delete(project: ProjectScope, id: string, end: ModelEnd): Promise<DeletedModel | undefined>
}
