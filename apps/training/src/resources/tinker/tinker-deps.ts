import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Engine } from '../../engine/engine.ts'
import type { FindBaseModel } from '../models/find-base-model.ts'
import type { FindAdapter } from '../training-jobs/find-adapter.ts'
import type { CheckpointsStore } from '../checkpoints/checkpoints-store.ts'
import type { BeginModel } from './held-models/begin-model.ts'
import type { OpenTraining } from './held-models/open-training.ts'
import type { TraceSample } from './step-traces/trace-sample.ts'
import type { SampleWeights } from './sampling/sample-weights.ts'
import type { Enqueue } from './sessions/enqueue.ts'
import type { PendingResults } from './sessions/pending-results.ts'
import type { TinkerSessions } from './sessions/tinker-sessions.ts'
import type { Report } from './settle.ts'
import type { TinkerStore } from './tinker-store.ts'

/** What the handlers of the Tinker API work with. */
export interface TinkerDeps {
  sessions: TinkerSessions
  results: PendingResults
  enqueue: Enqueue
  store: TinkerStore
  checkpoints: Pick<CheckpointsStore, 'find'>
  engine: Pick<Engine, 'baseModels'>
  findBaseModel: FindBaseModel
  findAdapter: FindAdapter
  beginModel: BeginModel
  openTraining: OpenTraining
  sampleWeights: SampleWeights
  traceSample: TraceSample
  /** Opens the project for work that outlives the request. */
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
  /** Milliseconds that a question for a result is held. */
  questionMs: number
  report: Report
  clock: () => Micros
  newId: () => string
}
