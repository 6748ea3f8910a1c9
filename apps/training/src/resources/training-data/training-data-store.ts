import type { BlobStat, Micros, WorkScope } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'

export interface NewTrainingData {
  name: string
  content: BlobStat
  at: Micros
}

export interface TrainingDataStore {
  /** Stores where the content of a name is, unless the name is taken. */
  create(project: ProjectScope, data: NewTrainingData): Promise<void>
  find(scope: Pick<WorkScope, 'signal'>, projectId: string, name: string): Promise<BlobStat | undefined>
}
