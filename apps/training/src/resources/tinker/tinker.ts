import { randomBytes } from 'node:crypto'
import { repeatSweep } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { StoreFiles } from '../../checkpoint-files/stored-files.ts'
import type { TrainingObserver } from '../../training-observer.ts'
import type { ModelVersions } from '../../model-versions/model-versions.ts'
import type { Platform } from '../../platform.ts'
import type { Tokenizers } from '../../tokenizer/tokenizers.ts'
import type { CompletionTimes } from '../chat-completions/generation/completion-deadlines.ts'
import type { GenerationQueue } from '../chat-completions/generation/generation-queue.ts'
import type { CheckpointsStore } from '../checkpoints/checkpoints-store.ts'
import type { FindBaseModel } from '../models/find-base-model.ts'
import type { ModelsStore } from '../models/models-store.ts'
import type { FindAdapter } from '../training-jobs/find-adapter.ts'
import { createBeginModel } from './held-models/begin-model.ts'
import { createOpenTraining } from './held-models/open-training.ts'
import { modelHandlers } from './model-handlers.ts'
import { runHandlers } from './run-handlers.ts'
import { createSampleWeights } from './sampling/sample-weights.ts'
import { samplingHandlers } from './sampling-handlers.ts'
import { sessionHandlers } from './session-handlers.ts'
import { createEnqueue } from './sessions/enqueue.ts'
import { PendingResults } from './sessions/pending-results.ts'
import { TinkerSessions } from './sessions/tinker-sessions.ts'
import { createCallOutbox } from './step-traces/call-outbox.ts'
import { createStepTraces } from './step-traces/step-traces.ts'
import { createTraceSample } from './step-traces/trace-sample.ts'
import type { RecordCalls } from './step-traces/traced-call.ts'
import type { TinkerDeps } from './tinker-deps.ts'
import { defaultTinkerLimits, type TinkerLimits } from './tinker-limits.ts'
import { sqlTinkerStore } from './tinker-store.sql.ts'
import { trainingHandlers } from './training-handlers.ts'

export interface TinkerOptions {
  models: ModelsStore
  findBaseModel: FindBaseModel
  findAdapter: FindAdapter
  checkpoints: CheckpointsStore
  versions: ModelVersions
  storeFiles: StoreFiles
  tokenizers: Tokenizers
  queue: GenerationQueue
  times: CompletionTimes
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
  /** Where the steps of models are traced. Absent: nowhere. */
  recordCalls?: RecordCalls | undefined
  /** Counts what is not traced. */
  observer?: Pick<TrainingObserver, 'onUntraced'> | undefined
  limits?: Partial<TinkerLimits> | undefined
}

/** Training and sampling step by step, for clients of the Tinker API. */
export function createTinker(platform: Platform, options: TinkerOptions) {
  const { database, blobs, engine, scratch, clock, newId, log } = platform
  const { models, findBaseModel, findAdapter, checkpoints, versions, storeFiles, tokenizers, queue, times, openProject } = options
  const limits = { ...defaultTinkerLimits, ...options.limits }
  const nowMs = () => clock() / 1_000
  const report = (err: unknown) => log?.error({ err, operation: 'training.tinker' }, 'a request of the Tinker API failed')
  const outbox = createCallOutbox({
    record: options.recordCalls ?? (async () => undefined),
    onUntraced: (reason, calls) => options.observer?.onUntraced(reason, calls),
    onError: (err) => log?.error({ err }, 'requests of the Tinker API were not traced; they were worked on'),
  })
  const tracing = { outbox, clock, newId }
  const traces = createStepTraces(tracing)
  const store = sqlTinkerStore(database, checkpoints)
  const sessions = new TinkerSessions(limits, nowMs)
  const results = new PendingResults(limits, nowMs)
  const openTraining = createOpenTraining({ engine, versions, blobs, scratch, newId })
  const newSeed = () => randomBytes(8).readBigInt64LE()
  const deps: TinkerDeps = {
    sessions,
    results,
    enqueue: createEnqueue({ results, report, newId }),
    store,
    checkpoints,
    engine,
    findBaseModel,
    findAdapter,
    beginModel: createBeginModel({ models, store, storeFiles, scratch, traces, openTraining, openProject, clock, newId }),
    openTraining,
    sampleWeights: createSampleWeights({ engine, versions, tokenizers, queue, times, newSeed }),
    traceSample: options.recordCalls ? createTraceSample(traces, tokenizers, tracing) : (_, work) => work(),
    openProject,
    questionMs: limits.questionMs,
    report,
    clock,
    newId,
  }
  const sweeper = repeatSweep(
    async () => {
      results.sweep()
      await sessions.sweep()
    },
    { everyMs: limits.sweepEveryMs, onError: report },
  )
  return {
    handlers: {
      ...sessionHandlers(deps),
      ...modelHandlers(deps),
      ...trainingHandlers(deps),
      ...samplingHandlers(deps),
      ...runHandlers(deps),
    },
    /** Removes addresses that have expired. */
    sweep: () => store.sweep(clock()),
    /** Ends all sessions: the state of their models is lost, which is reported to clients. */
    async close() {
      await sweeper.close()
      await sessions.close()
      await outbox.close()
    },
  }
}
