import { invariant } from '@heddle/datastore'
import type { Engine, ModelVersion } from '../../engine/engine.ts'
import { sftOptimizer } from '../../objective/optimizer-settings.ts'
import { countOnes } from '../../sequences/mask.ts'
import { runGradientSteps, type StepResult } from '../gradient-steps.ts'
import { sftStepMetrics } from '../step-metrics.ts'
import { type TrainingOutcome, type TrainingRunOptions, trainingRunLimits } from '../training-run.ts'
import { afterPass, beginHeldOut, hasBetterPass, type HeldOutLoss, isBestPass } from './held-out.ts'
import type { PreparedSft } from './prepare-sft.ts'
import { type BatchRun, runBatch } from './run-batch.ts'
import type { SftBatch } from './sft-batches.ts'

export interface TrainSftOptions extends TrainingRunOptions {
  prepared: PreparedSft
  /** Log-probabilities under fixed weights, and which weights preference pairs are compared with. Null learns conversations. */
  reference?: { score: Engine['score']; version: ModelVersion } | null
}

/**
 * Makes one gradient step for each batch: forward, objective, backward, optimizer. After each pass it measures the loss of held-out examples, and ends
 * early where that is set and the loss no longer falls; the pass with the lowest loss is then the result.
 * @throws TrainingFailure when numbers are no longer finite, EngineError, and the reason of the signal
 */
export async function trainSft(options: TrainSftOptions): Promise<TrainingOutcome> {
  const { prepared, position } = options
  const { batches, heldOut, settings } = prepared
  let measured: HeldOutLoss | null = position?.heldOut ?? null
  const measure = async () => (await runBatch(heldOut, runOf(options, false))).loss
  const outcome = await runGradientSteps(batches.length, options, async (index) => {
    const batch = batches[index]!
    const isFirst = index === 0 && heldOut.length > 0
    if (isFirst) measured = beginHeldOut(await measure())
    const result = await trainBatch(batch, index, options)
    const metrics: Record<string, number> = { ...result.metrics, ...(settings.epochs > 1 && { epoch: batch.epoch }) }
    if (isFirst) metrics['held_out_loss_before'] = measured!.before
    if (!batch.isLastOfEpoch || measured === null) return { ...result, metrics, heldOut: measured }
    const loss = await measure()
    const isBest = settings.earlyStop !== null && isBestPass(measured, loss)
    measured = afterPass(measured, loss)
    metrics['held_out_loss'] = loss
    const isLast = settings.earlyStop !== null && measured.passesSinceBest >= settings.earlyStop
    return { ...result, metrics, heldOut: measured, isLast, isBest }
  })
  return measured === null ? outcome : withHeldOut(outcome, measured, settings.earlyStop !== null)
}

/** What a checkpoint says of held-out examples is that of its weights, not a mean. */
function withHeldOut(outcome: TrainingOutcome, measured: HeldOutLoss, servesBest: boolean): TrainingOutcome {
  const isBestKept = servesBest && hasBetterPass(measured)
  const { before, last, bestPass } = measured
  const loss = isBestKept ? bestPass! : last
  return { ...outcome, isBestKept, metrics: { ...outcome.metrics, held_out_loss_before: before, held_out_loss: loss } }
}

async function trainBatch(batch: SftBatch, index: number, options: TrainSftOptions): Promise<StepResult> {
  const { sequences, learningRate, share } = batch
  const { session, signal, prepared, now = () => performance.now() } = options
  const startedAt = now()
  const { loss, metrics } = await runBatch(sequences, runOf(options, true))
  const { gradientNorm } = await session.step(sftOptimizer(learningRate * share), signal)
  const all = sequences.flatMap(({ rejected, ...chosen }) => (rejected ? [chosen, rejected] : [chosen]))
  const tokens = all.reduce((sum, sequence) => sum + sequence.tokens.length, 0)
  const seconds = (now() - startedAt) / 1000
  const stepMetrics = sftStepMetrics({
    index,
    loss,
    gradientNorm,
    learningRate,
    share,
    tokens,
    labelledTokens: all.reduce((sum, { labels }) => sum + countOnes(labels), 0),
    conversations: sequences.length,
    droppedConversations: prepared.dropped,
    tokensPerSecond: seconds > 0 ? tokens / seconds : null,
  })
  return { loss, gradientNorm, metrics: { ...stepMetrics, ...metrics } }
}

function runOf({ session, signal, limits, prepared, reference }: TrainSftOptions, learns: boolean): BatchRun {
  const { preference } = prepared.settings
  invariant(preference === null || reference != null, 'training.preferences-have-a-reference', () => 'preference pairs without a reference')
  return {
    session,
    tokensAtATime: limits?.tokensAtATime ?? trainingRunLimits.tokensAtATime,
    signal,
    learns,
    preference: preference && reference ? { ...preference, ...reference } : null,
  }
}
