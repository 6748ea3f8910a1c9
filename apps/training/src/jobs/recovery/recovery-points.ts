import { rm } from 'node:fs/promises'
import { invariant } from '@heddle/datastore'
import { type JobContext, JobFailure, type RunningJob } from '@heddle/jobs'
import type { TrainingSession } from '../../engine/engine.ts'
import { copyFiles } from '../../model-versions/create-model-versions.ts'
import type { CheckpointFiles } from '../../checkpoint-files/stored-files.ts'
import type { TrainingPosition } from '../../training/training-run.ts'
import { newFolder } from '../../checkpoint-files/stored-files.ts'
import type { BestWeights, StoredWeights } from './best-weights.ts'
import type { TrainingJobDeps } from '../training-job-deps.ts'

/** The recovery point of a running job: its position, and the files of its session. */
interface RecoveryPoint {
  format: 1
  position: TrainingPosition
  files: CheckpointFiles
  /** Weights of the best pass, if they may be published. */
  best?: StoredWeights
}

export interface RecoveredState {
  position: TrainingPosition
  /** Folder that a session continues from. */
  folder: string
  best: StoredWeights | null
}

/** Where the attempt before got to; null begins. @throws EngineError `damaged` */
export async function recover(
  running: RunningJob,
  folder: string,
  { blobs }: Pick<TrainingJobDeps, 'blobs'>,
): Promise<RecoveredState | null> {
  const point = running.savedState as RecoveryPoint | null
  if (point === null) return null
  const target = await newFolder(folder, 'recovered')
  await copyFiles(blobs, point.files, target)
  return { position: point.position, folder: target, best: point.best ?? null }
}

export interface RecoverySaving {
  jobId: string
  running: RunningJob
  context: JobContext
  folder: string
  session: TrainingSession
  best: BestWeights
}

/**
 * Keeps the session and its position as blobs and saved state of the job: either both, or the previous ones, which are removed once the new ones are
 * durable. Resolves to their bytes. @throws JobFailure when the job has ended meanwhile
 */
export async function saveRecoveryPoint(position: TrainingPosition, saving: RecoverySaving, deps: TrainingJobDeps): Promise<number> {
  const { jobId, running, context, session } = saving
  const before = (running.savedState as RecoveryPoint | null)?.position.nextStep ?? 0
  invariant(
    position.nextStep > before,
    'training.recovery-points-go-forward',
    () => `job ${jobId}: step ${position.nextStep} after ${before}`,
  )
  const folder = await newFolder(saving.folder, `recovery-${position.nextStep}`)
  await session.saveState(folder, context.signal)
  const files = await deps.storeFiles(running.project, folder, async (stored) => {
    if (!(await context.commit((transaction) => deps.recovery.reference(transaction, jobId, stored))))
      throw new JobFailure('the job was ended', { isPermanent: true })
    return stored
  })
  await rm(folder, { recursive: true, force: true })
  const best = await saving.best.store()
  await context.saveState({ format: 1, position, files, ...(best && { best }) } satisfies RecoveryPoint)
  const kept = best ? [files, best.files, best.state] : [files]
  await context.commit((transaction) => deps.recovery.keepOnly(transaction, jobId, kept))
  return Object.values(files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
