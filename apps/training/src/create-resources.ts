import { repeatSweep } from '@heddle/datastore'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { handlersOf } from '@heddle/service-kit'
import { sqlArtifactUploadsStore } from './compatibility/artifact-uploads-store.sql.ts'
import { sqlMetricRunsStore } from './resources/training-jobs/metric-runs-store.sql.ts'
import { createTrackingClient } from './compatibility/tracking-client.ts'
import { bodyTasks, bodyThread } from './body-tasks.ts'
import { createBodyReader } from './body-threads/body-reader.ts'
import { createPlatform } from './create-platform.ts'
import { createCancelJob } from './jobs/cancel-job.ts'
import { sqlOptimizerStore } from './jobs/recovery/optimizer-store.sql.ts'
import { sqlRecoveryStore } from './jobs/recovery/recovery-store.sql.ts'
import { createTrainingJobHandler } from './jobs/run-training-job.ts'
import { createSettleStrayJobs } from './jobs/settle-stray-jobs.ts'
import { createStoreFiles } from './checkpoint-files/stored-files.ts'
import { createKeepBlobs } from './keep-blobs.ts'
import { createModelVersions } from './model-versions/create-model-versions.ts'
import { sqlRepeatsStore } from './repeats/repeats-store.sql.ts'
import { defaultTrajectoryLimits } from './request-body/check-body.ts'
import { createBaseModels } from './resources/base-models/base-models.ts'
import { createChatCompletions } from './resources/chat-completions/chat-completions.ts'
import { createCompleteFor } from './resources/chat-completions/complete-for.ts'
import { createCheckpoints } from './resources/checkpoints/checkpoints.ts'
import { sqlCheckpointsStore } from './resources/checkpoints/checkpoints-store.sql.ts'
import { createCompletions } from './resources/completions/completions.ts'
import { createFineTuningJobs } from './resources/fine-tuning-jobs/fine-tuning-jobs.ts'
import { createHealth } from './resources/health/health.ts'
import { createJobTrajectories } from './resources/job-trajectories/job-trajectories.ts'
import { createMessages } from './resources/messages/messages.ts'
import { createFindBase } from './resources/models/find-base.ts'
import { createModels } from './resources/models/models.ts'
import { createResponses } from './resources/responses/responses.ts'
import { createServedModels } from './resources/served-models/served-models.ts'
import { createTinker } from './resources/tinker/tinker.ts'
import { createTrainingData } from './resources/training-data/training-data.ts'
import { sqlTrainingDataStore } from './resources/training-data/training-data-store.sql.ts'
import { createTrainingEvents } from './resources/training-events/training-events.ts'
import { createTrainingFiles } from './resources/training-files/training-files.ts'
import { createRecordedTrajectories } from './resources/recorded-trajectories/recorded-trajectories.ts'
import { sqlEndJob, sqlEndJobsOfModel } from './resources/training-jobs/end-job-store.sql.ts'
import { createAssertFewJobs, createNewRow } from './resources/training-jobs/new-training-job.ts'
import { createCheckMemory } from './resources/training-jobs/check-memory.ts'
import { createEstimateSftJob } from './resources/training-jobs/estimate-sft-job.ts'
import { createFindAdapter } from './resources/training-jobs/find-adapter.ts'
import { createOpenJob } from './resources/training-jobs/open-job.ts'
import { createStartSftJob } from './resources/training-jobs/start-sft-job.ts'
import { createStartRlJob } from './resources/training-jobs/start-rl-job.ts'
import { shownConfig } from './resources/training-jobs/shown-config.ts'
import { createSubmitJob } from './resources/training-jobs/submit-job.ts'
import { createTrainingJobs } from './resources/training-jobs/training-jobs.ts'
import { sqlTrainingJobsStore } from './resources/training-jobs/training-jobs-store.sql.ts'
import { createTrajectories } from './resources/trajectories/trajectories.ts'
import { trainingRunLimits } from './training/training-run.ts'
import type { TrainingDeps } from './training-deps.ts'

/** Time limit of one attempt. */
const jobLimitMs = 24 * 3_600_000
/** Jobs that the engine trains at a time. */
const jobsAtOnce = 1
/** Largest import: as much as the engine of this machine can train as a whole, and therefore export. */
export const defaultImportBytes = 4 * 2 ** 30
/** Highest rank of a new adapter, as in `heddle.json`. */
const defaultMaxAdapterRank = 256
const settleEveryMs = 2_000
const dayMicros = 24 * 3_600_000_000

/** All resources, each after those whose records it reads. */
export function createResources(deps: TrainingDeps) {
  const platform = createPlatform(deps)
  const { database, blobs, locks, engine, scratch, jobs, identity, sharesStore, clock, newId, log } = platform
  const limits = deps.trajectoryLimits ?? defaultTrajectoryLimits
  const outgoing = deps.outgoing ?? createOutgoing({ allowed: parseAllowedTargets([]) })
  const keepBlobs = createKeepBlobs(locks)
  const bodies = createBodyReader({ tasks: bodyTasks, worker: bodyThread, ...deps.bodyReading })
  const storeFiles = createStoreFiles(blobs, keepBlobs)
  const repeats = sqlRepeatsStore(database)
  const versions = createModelVersions({ blobs, engine, scratch })
  const checkpoints = sqlCheckpointsStore(database)
  const endJob = sqlEndJob(deps.onJobEnded)
  const store = sqlTrainingJobsStore(database, repeats, endJob)
  const openJob = createOpenJob(store)
  const submit = createSubmitJob({ jobs, store })

  const runs = sqlMetricRunsStore(database)
  const models = createModels(platform, {
    queued: platform.queued,
    repeats,
    endJobsOfModel: sqlEndJobsOfModel(endJob),
    versions,
    hasRun: async (work, modelId) => (await runs.jobsOf(work, modelId)).length > 0,
  })
  const trainingDataStore = sqlTrainingDataStore(database)
  const trainingData = createTrainingData(platform, { store: trainingDataStore, keepBlobs, outgoing })
  const trainingFiles = createTrainingFiles(platform, { keepBlobs, bodies })
  const newRow = createNewRow({ clock, newId })
  const assertFewJobs = createAssertFewJobs(store, deps.maxUnfinishedJobs)
  const { openModel } = models
  const maxAdapterRank = deps.maxAdapterRank ?? defaultMaxAdapterRank
  const findAdapter = createFindAdapter({ checkpoints, blobs, maxRank: maxAdapterRank, choosesModules: engine.choosesModules })
  const findBase = createFindBase(engine)
  const tokensAtATime = deps.runLimits?.tokensAtATime ?? trainingRunLimits.tokensAtATime
  const checkMemory = createCheckMemory({ engine, blobs, bodies, tokensAtATime })
  const startSftJob = createStartSftJob({ store, submit, findBase, findAdapter, checkMemory, assertFewJobs, newRow })
  const startRlJob = createStartRlJob({
    store,
    checkpoints,
    teachers: { models: models.models, checkpoints, engine },
    openModel,
    findBase,
    findAdapter,
    checkMemory,
    keepBlobs,
    submit,
    bodies,
    limits,
    assertFewJobs,
    newRow,
  })
  const openProject = (projectId: string, signal: AbortSignal) => identity.openForWork(projectId, { caller: 'jobs', signal })
  const recorded = createRecordedTrajectories(platform, {
    openModel,
    keepBlobs,
    bodies,
    startRlJob,
    openProject,
    assertDiskSpace: deps.assertDiskSpace,
  })
  const chatCompletions = createChatCompletions(platform, {
    checkpoints,
    versions,
    models: models.models,
    openModel,
    beginRecording: recorded.beginRecording,
    limits: deps.generationLimits,
    times: deps.completionTimes,
    prompts: deps.promptThreads,
  })
  const responses = createResponses(platform, {
    begin: chatCompletions.begin,
    report: chatCompletions.report,
    openModel,
    keepBlobs,
    assertDiskSpace: deps.assertDiskSpace,
  })
  const cancel = createCancelJob({ jobs, store, clock, newId })
  const tinker = createTinker(platform, {
    models: models.models,
    findBaseModel: models.findBaseModel,
    findAdapter,
    checkpoints,
    versions,
    storeFiles,
    ...chatCompletions.sampling,
    openProject,
    recordCalls: deps.recordCalls,
    observer: deps.trainingObserver,
    limits: deps.tinkerLimits,
  })
  const trackingClient = createTrackingClient({
    uploads: sqlArtifactUploadsStore(database),
    runs,
    models: models.models,
    identity,
    trainingData: trainingDataStore,
    keepBlobs,
    clock,
    basePath: deps.basePath,
    assertDiskSpace: deps.assertDiskSpace,
  })

  const onError = (what: string) => (error: unknown) =>
    log?.error({ operation: `training.${what}`, err: error }, 'a sweep failed; it is tried again')
  const settle = repeatSweep(createSettleStrayJobs({ store, submit, openProject, clock, newId }), {
    everyMs: deps.settleEveryMs ?? settleEveryMs,
    onError: onError('settleStrayJobs'),
  })
  const sweeper = repeatSweep(
    async (signal) => {
      await jobs.sweep(signal)
      await repeats.sweep(clock())
      await trackingClient.sweep()
      await store.sweep(clock() - 30 * dayMicros)
      await recorded.sweep(clock(), signal)
      await responses.sweep(clock(), signal)
      await tinker.sweep()
    },
    { onError: onError('sweep') },
  )
  const handler = createTrainingJobHandler({
    jobs: store,
    models: models.models,
    checkpoints,
    recovery: sqlRecoveryStore(),
    optimizers: sqlOptimizerStore(database),
    versions,
    engine,
    blobs,
    bodies,
    storeFiles,
    scratch,
    limits: deps.runLimits ?? {},
    maxAdapterRank,
    fullDiskRetryMs: deps.fullDiskRetryMs,
    observer: deps.trainingObserver,
    clock,
    newId,
  })
  const work = { timeLimitMs: jobLimitMs, openProject, isOnlyServer: !sharesStore, ...deps.workerTimes }
  // What deleted models left does not wait for a job that trains.
  const removals = jobs.startWorker({ kinds: models.jobKinds, concurrency: 1, ...work })
  const worker = jobs.startWorker({
    kinds: { rl: handler, sft: handler },
    concurrency: jobsAtOnce,
    ...work,
  })

  return {
    handlers: handlersOf({
      baseModels: createBaseModels(platform),
      chatCompletions,
      checkpoints: createCheckpoints(platform, {
        checkpoints,
        describeJob: async (work, id) => {
          const job = await store.find(work, id)
          return job ? { id, kind: job.kind, config: shownConfig(job.config) } : null
        },
        versions,
        findBase,
        storeFiles,
        bodies,
        openModel,
        maxImportBytes: deps.maxImportBytes ?? defaultImportBytes,
        exportLimits: deps.exportLimits,
      }),
      completions: createCompletions(platform, chatCompletions),
      fineTuningJobs: createFineTuningJobs(platform, {
        store,
        models: models.models,
        checkpoints,
        openModel,
        openJob,
        openFile: trainingFiles.openFile,
        listProjects: models.listProjects,
        resolveModel: chatCompletions.resolveModel,
        blobs,
        keepBlobs,
        findAdapter,
        checkMemory,
        startSftJob,
        cancel,
      }),
      health: createHealth(platform),
      jobTrajectories: createJobTrajectories(platform, { keepsInput: store.keepsInput, bodies, openJob, openModel }),
      messages: createMessages(chatCompletions),
      models,
      recordedTrajectories: recorded,
      responses,
      servedModels: createServedModels(platform, { ...models, resolveModel: chatCompletions.resolveModel }),
      tinker,
      trainingData,
      trainingFiles,
      trainingEvents: createTrainingEvents({ store, openJob }),
      trainingJobs: createTrainingJobs({
        store,
        openModel,
        listProjects: models.listProjects,
        openJob,
        findTrainingData: trainingData.findTrainingData,
        startRlJob,
        startSftJob,
        estimate: createEstimateSftJob({ openModel, findBaseModel: models.findBaseModel, findBase, findAdapter, checkMemory }),
        cancel,
      }),
      trajectories: createTrajectories(platform, { repeats, checkpoints, openModel, keepBlobs, bodies, limits }),
    }),
    trackingClient,
    jobs,
    complete: createCompleteFor(chatCompletions.begin, identity),
    async close() {
      await Promise.all([worker.stop(), removals.stop()])
      await settle.close()
      await sweeper.close()
      await chatCompletions.close()
      await tinker.close()
    },
  }
}
