import { invariant } from '@heddle/datastore'
import { createRecoveryPace } from './recovery-pace.ts'
import { RunningMeans } from './running-means.ts'
import type { HeldOutLoss } from './sft/held-out.ts'
import { TrainingFailure } from './training-failure.ts'
import { type GradientStep, type TrainingOutcome, type TrainingRunOptions, trainingRunLimits } from './training-run.ts'

/** Most consecutive skipped steps. */
const maxSkipped = 2

/** The result of one gradient step. If the loss or the norm is not finite, no weight was changed. */
export interface StepResult {
  loss: number
  gradientNorm: number
  /** Non-finite ones are omitted. */
  metrics: Record<string, number>
  /** Kept with the position of the job. */
  heldOut?: HeldOutLoss | null
  /** Whether no step follows, although some are left. */
  isLast?: boolean
  /** Whether the weights are the best so far, and may be the result. */
  isBest?: boolean
}

/**
 * Makes the gradient steps of a job in order, from where an earlier attempt got to, with events and recovery points between.
 * @throws TrainingFailure after three steps in a row whose numbers are not finite
 */
export async function runGradientSteps(
  total: number,
  { position, hooks, signal, limits = {}, now = () => performance.now() }: TrainingRunOptions,
  makeStep: (index: number) => Promise<StepResult>,
): Promise<TrainingOutcome> {
  const first = position?.nextStep ?? 0
  invariant(first >= 0 && first <= total, 'training.resumes-within-its-steps', () => `step ${first} of ${total}`)
  const means = new RunningMeans(position?.sums)
  let skippedInARow = position?.skippedInARow ?? 0
  let skipped = position?.skipped ?? 0
  const pace = createRecoveryPace(first, { ...trainingRunLimits, ...limits }, now)
  let saved: GradientStep['saved']
  let steps = total
  for (let index = first; index < total; index++) {
    signal.throwIfAborted()
    const result = await makeStep(index)
    const isFinite = Number.isFinite(result.loss) && Number.isFinite(result.gradientNorm)
    skippedInARow = isFinite ? 0 : skippedInARow + 1
    skipped += isFinite ? 0 : 1
    if (skippedInARow > maxSkipped) throw divergence(index, result)
    const metrics = finiteOnly({ ...result.metrics, ...(isFinite ? {} : { 'loss/skipped_step': 1 }) })
    means.add(metrics)
    await hooks.onGradientStep({ index, total, metrics, ...(saved && { saved }) })
    saved = undefined
    const nextStep = index + 1
    if (result.isLast === true) {
      steps = nextStep
      break
    }
    if (nextStep === total) continue
    if (result.isBest === true) await hooks.keepBest()
    if (!pace.isDue(nextStep)) continue
    const startedAt = now()
    const bytes = await hooks.saveRecoveryPoint({
      nextStep,
      skippedInARow,
      skipped,
      sums: means.sums(),
      ...(result.heldOut && { heldOut: result.heldOut }),
    })
    saved = { bytes, seconds: (now() - startedAt) / 1_000 }
    pace.noteSaved({ nextStep, startedAt, bytes })
  }
  return { steps, skipped, isBestKept: false, metrics: means.means() }
}

function finiteOnly(metrics: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).filter(([, value]) => Number.isFinite(value)))
}

function divergence(index: number, { loss, gradientNorm }: StepResult): TrainingFailure {
  return new TrainingFailure(
    `gradient steps ${index - maxSkipped + 1} to ${index + 1} gave numbers that are not finite (loss ${loss}, gradient norm ${gradientNorm}); the model is unchanged. Lower learning_rate`,
  )
}
