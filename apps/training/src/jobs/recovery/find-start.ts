import { copyFiles } from '../../model-versions/create-model-versions.ts'
import type { TrainingPosition } from '../../training/training-run.ts'
import type { TrainingJobRow } from '../../resources/training-jobs/training-job-row.ts'
import type { Attempt } from '../attempt.ts'
import type { OptimizerKind, OptimizerState } from './optimizer-store.ts'
import type { StoredWeights } from './best-weights.ts'
import { recover } from './recovery-points.ts'
import { newFolder } from '../../checkpoint-files/stored-files.ts'
import type { TrainingJobDeps } from '../training-job-deps.ts'

/** Where the session of an attempt begins. */
export interface TrainingStart {
  /** A saved session that it continues from; null begins at the checkpoint, with a fresh optimizer. */
  folder: string | null
  /** Where an attempt before got to; null begins with the first gradient step. */
  position: TrainingPosition | null
  /** Weights of the best pass before; null without any. */
  best: StoredWeights | null
}

/** After the last recovery point, else with the optimizer as the job before left it. @throws EngineError `damaged` */
export async function findStart(attempt: Attempt, deps: TrainingJobDeps): Promise<TrainingStart> {
  const recovered = await recover(attempt.running, attempt.folder, deps)
  if (recovered) return recovered
  const state = await findOptimizer(attempt, deps)
  if (!state) return { folder: null, position: null, best: null }
  const folder = await newFolder(attempt.folder, 'optimizer')
  await copyFiles(deps.blobs, state.files, folder)
  return { folder, position: null, best: null }
}

export function optimizerKindOf(job: Pick<TrainingJobRow, 'kind' | 'config'>): OptimizerKind {
  const { kind, config } = job
  if (config !== null && 'dpo' in config && config.dpo) return 'dpo'
  return config !== null && 'distillation_teacher' in config && config.distillation_teacher ? 'distillation' : kind
}

/** The optimizer that belongs to the weights of the parent; undefined where a job of this kind begins with a fresh one. */
export async function findOptimizer({ begun, running }: Attempt, { optimizers }: TrainingJobDeps): Promise<OptimizerState | undefined> {
  const { job, parent } = begun
  const state = await optimizers.find(running.project, job.model_id)
  return state?.kind === optimizerKindOf(job) && state.step === parent.step ? state : undefined
}
