import { type JobContext, JobFailure } from '@heddle/jobs'
import { type Database, invariant } from '@heddle/datastore'
import type { Engine, TrainingSession } from '../engine/engine.ts'
import type { HeldVersion } from '../model-versions/model-versions.ts'
import type { CheckpointFiles } from '../checkpoint-files/stored-files.ts'
import { collectTensors } from '../training/collect-tensors.ts'
import { seedOf } from '../training/seed-of.ts'
import { trainRl } from '../training/rl/train-rl.ts'
import { trainSft } from '../training/sft/train-sft.ts'
import {
  type GradientStep,
  type TrainingHooks,
  type TrainingOutcome,
  type TrainingPosition,
  trainingRunLimits,
} from '../training/training-run.ts'
import { adapterOf } from './adapter-of.ts'
import { assertMemory } from './assert-memory.ts'
import type { Attempt } from './attempt.ts'
import { findReference } from './find-reference.ts'
import { type BestWeights, createBestWeights } from './recovery/best-weights.ts'
import { findOptimizer, findStart, optimizerKindOf } from './recovery/find-start.ts'
import { type JobToPrepare, prepareJob, type PreparedJob } from './prepare-job.ts'
import { saveRecoveryPoint } from './recovery/recovery-points.ts'
import { newFolder } from '../checkpoint-files/stored-files.ts'
import type { TrainingJobDeps } from './training-job-deps.ts'

export interface TrainingAttempt extends Attempt {
  toPrepare: JobToPrepare
}

/** Trains the model, and publishes its next step. */
export async function trainAndPublish(attempt: TrainingAttempt, deps: TrainingJobDeps): Promise<{ step: number }> {
  const { toPrepare, context } = attempt
  const job = await prepareJob(toPrepare, deps)
  deps.observer?.onPrepared(job.kind, job.prepared.metrics)
  await addEvent(attempt, deps, { seq: 0, type: 'training_started', data: startedData(job, deps.engine) })
  const nothingToTrain = whyNothingIsTrained(job)
  if (nothingToTrain) {
    const { files } = attempt.begun.parent
    const state = await findOptimizer(attempt, deps)
    return publish(attempt, deps, {
      files,
      state: state?.files,
      metrics: job.prepared.metrics,
      message: nothingToTrain.message,
      prepared: job,
    })
  }
  const held: HeldVersion[] = []
  try {
    const from = await deps.versions.hold({ baseModel: toPrepare.base.id, checkpoint: toPrepare.parent }, context.signal)
    held.push(from)
    const reference = job.kind === 'rl' ? await findReference(job.prepared.settings, toPrepare, { context, deps }) : await holdReference()
    if (reference) held.push(reference)
    return await trainFrom({ attempt, job, from, reference }, deps)
  } finally {
    for (const { release } of held) release()
  }

  /** What preference pairs are compared with, unless that is where the job begins. */
  async function holdReference(): Promise<HeldVersion | null> {
    if (job.kind !== 'sft' || job.prepared.settings.preference?.reference !== 'base') return null
    return deps.versions.hold({ baseModel: toPrepare.base.id, checkpoint: null }, context.signal)
  }
}

/** Set where rewards teach nothing: the job then succeeds and publishes the weights as they were. */
const whyNothingIsTrained = ({ kind, prepared }: PreparedJob) => (kind === 'rl' ? prepared.nothingToTrain : null)

/** Pairs are compared with the weights of the model itself, which are counted. */
const comparedWith = ({ kind }: PreparedJob, reference: HeldVersion | null) => (kind === 'rl' ? (reference?.version ?? null) : null)

interface TrainFrom {
  attempt: TrainingAttempt
  job: PreparedJob
  from: HeldVersion
  reference: HeldVersion | null
}

async function trainFrom({ attempt, job, from, reference }: TrainFrom, deps: TrainingJobDeps): Promise<{ step: number }> {
  const { toPrepare, context, running, folder } = attempt
  const adapter = adapterOf(job, toPrepare, {
    version: from.version,
    maxRank: deps.maxAdapterRank,
    choosesModules: deps.engine.choosesModules,
  })
  const tokensAtATime = deps.limits.tokensAtATime ?? trainingRunLimits.tokensAtATime
  await assertMemory(deps.engine, { job, baseModel: toPrepare.base.id, adapter, tokensAtATime, reference: comparedWith(job, reference) })
  const start = await findStart(attempt, deps)
  const best = createBestWeights(attempt, start.best, deps)
  const score: Engine['score'] = (version, batch, signal) => deps.engine.score(version, batch, signal)
  const session = await deps.engine.openTraining(
    {
      from: from.version,
      adapter,
      seed: initialSeed(job, toPrepare),
      resumeFrom: start.folder,
    },
    context.signal,
  )
  try {
    const options = {
      session,
      position: start.position,
      hooks: hooksOf(attempt, { kind: job.kind, session, best }, deps),
      signal: context.signal,
      limits: deps.limits,
    }
    const tensors = collectTensors()
    const outcome: TrainingOutcome =
      job.kind === 'sft'
        ? await trainSft({ ...options, prepared: job.prepared, reference: { score, version: (reference ?? from).version } })
        : await trainRl({
            ...options,
            prepared: job.prepared,
            score,
            start: from.version,
            reference: reference?.version ?? null,
            onTensors: tensors.add,
          })
    // What is counted of the whole job has the same names as the counts of steps, of which the outcome has means.
    const metrics = { ...outcome.metrics, ...job.prepared.metrics }
    if (outcome.isBestKept) return await best.publish((kept) => publish(attempt, deps, { ...kept, metrics, message: null, prepared: job }))
    const target = await newFolder(folder, 'checkpoint')
    await session.saveCheckpoint(target, context.signal)
    if (job.kind === 'rl' && job.prepared.settings.plotTensors) await tensors.write(target)
    const left = await newFolder(folder, 'optimizer-left')
    await session.saveState(left, context.signal)
    return await deps.storeFiles(running.project, target, (files) =>
      deps.storeFiles(running.project, left, (state) => publish(attempt, deps, { files, state, metrics, message: null, prepared: job })),
    )
  } finally {
    await session.close()
  }
}

/** Where the adapter begins, if these are its first weights. */
function initialSeed(job: PreparedJob, { job: { id } }: JobToPrepare): number {
  return job.prepared.settings.seed ?? seedOf(id)
}

function hooksOf(
  attempt: TrainingAttempt,
  { kind, session, best }: { kind: PreparedJob['kind']; session: TrainingSession; best: BestWeights },
  deps: TrainingJobDeps,
): TrainingHooks {
  const { context, running, folder } = attempt
  const jobId = attempt.begun.job.id
  return {
    async onGradientStep({ index, total, metrics, saved }: GradientStep) {
      const data = saved ? { ...metrics, 'recovery/bytes': saved.bytes, 'recovery/seconds': saved.seconds } : metrics
      await addEvent(attempt, deps, { seq: index + 1, type: 'gradient_step', data })
      deps.observer?.onGradientStep(kind, metrics)
      context.progress((index + 1) / total, { gradient_step: index + 1, num_gradient_steps: total })
    },
    saveRecoveryPoint: (position: TrainingPosition) =>
      saveRecoveryPoint(position, { jobId, running, context, folder, session, best }, deps),
    keepBest: () => best.keep(session),
  }
}

/** Clients depend on `num_sequences`; the rest is for users. */
function startedData(job: PreparedJob, { library }: Pick<Engine, 'library'>): Record<string, unknown> {
  const { kind, prepared } = job
  const steps = kind === 'rl' ? prepared.rows.length : prepared.batches.length
  const { resolvedConfig, notes } = prepared
  const nothingToTrain = whyNothingIsTrained(job)
  const said = nothingToTrain ? [...notes, nothingToTrain.message] : notes
  return { num_sequences: steps, config: resolvedConfig, notes: said, library }
}

interface NewEvent {
  seq: number
  type: 'training_started' | 'gradient_step'
  data: Record<string, unknown>
}

async function addEvent(attempt: TrainingAttempt, deps: TrainingJobDeps, event: NewEvent): Promise<void> {
  const row = { ...event, job_id: attempt.begun.job.id, id: deps.newId(), created_at: deps.clock() }
  await commitUnlessEnded(attempt.context, (transaction) => deps.jobs.addEvent(transaction, row))
}

interface Publication {
  files: CheckpointFiles
  /** The optimizer that belongs to these weights; undefined if there is none. */
  state: CheckpointFiles | undefined
  metrics: Readonly<Record<string, number>>
  message: string | null
  prepared: PreparedJob
}

/** In one transaction: the checkpoint, which is served from then on, the last event and the state of the job. */
async function publish(
  attempt: TrainingAttempt,
  deps: TrainingJobDeps,
  { files, state, metrics, message, prepared }: Publication,
): Promise<{ step: number }> {
  const { job, parent } = attempt.begun
  const step = parent.step + 1
  invariant(job.model_id === parent.model_id, 'training.parents-are-of-their-model', () => `job ${job.id}: checkpoint ${parent.id}`)
  const at = deps.clock()
  await commitUnlessEnded(attempt.context, async (transaction) => {
    const end = { id: job.id, status: 'succeeded', error: null, message, step, at, eventId: deps.newId() } as const
    if (!(await deps.jobs.end(transaction, end))) return false
    await deps.checkpoints.insert(transaction, {
      id: deps.newId(),
      model_id: job.model_id,
      step,
      metrics,
      files,
      job_id: job.id,
      created_at: at,
    })
    if (state) await deps.optimizers.replace(transaction, job.model_id, { kind: optimizerKindOf(job), step, files: state })
    if (prepared.kind === 'rl')
      await deps.jobs.addRewards(transaction, job.model_id, { step, rewardStdDev: prepared.prepared.rewards.rewardStdDev })
    return true
  })
  return { step }
}

/** @throws JobFailure when the job has ended meanwhile, since its model was deleted or it was cancelled */
async function commitUnlessEnded(context: JobContext, work: (transaction: Database) => Promise<boolean>): Promise<void> {
  if (!(await context.commit(work))) throw new JobFailure('the job was ended', { isPermanent: true })
}
