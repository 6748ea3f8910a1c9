import type { WorkScope } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { TrainingFileRow } from './training-file-row.ts'

export interface TrainingFilesPage {
  order: 'asc' | 'desc'
  /** Id of the last file of the page before. */
  after: string | null
  limit: number
}

type Work = Pick<WorkScope, 'signal'>

export interface TrainingFilesStore {
  /** Stores a file with its reference to its blob. @throws ApiError 409 where the project has as many files as it may */
  create(project: ProjectScope, row: TrainingFileRow): Promise<void>
  /** A file of any project: the caller opens the project. */
  find(work: Work, id: string): Promise<TrainingFileRow | undefined>
  /** Files of projects that the caller may read. @throws ApiError 404 if there is no file `after` among them */
  list(work: Work, projectIds: readonly string[], page: TrainingFilesPage): Promise<TrainingFileRow[]>
  /** Ids of projects of an entity that have files, at most `limit`. */
  listProjects(work: Work, entity: string, limit: number): Promise<string[]>
  /** False where it is gone already. */
  delete(project: ProjectScope, id: string): Promise<boolean>
}
