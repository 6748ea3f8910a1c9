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
  /** The files of an artifact, each by its name without that of the artifact. In no order, and at most 100. */
  listFiles(scope: Pick<WorkScope, 'signal'>, projectId: string, artifact: string): Promise<{ name: string; content: BlobStat }[]>
}
