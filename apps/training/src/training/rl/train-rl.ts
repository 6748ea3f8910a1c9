import type { Engine, ModelVersion } from '../../engine/engine.ts'
import { distillationObjective } from '../../objective/distillation-loss.ts'
import { rlOptimizer } from '../../objective/optimizer-settings.ts'
import {
  countSampled,
  meanKlEstimate,
  type RowContext,
  type SequenceObjective,
  sequenceObjective,
  type SequenceTokens,
} from '../../objective/rl-loss.ts'
import { RowStatistics } from '../../objective/row-statistics.ts'
import { runGradientSteps, type StepResult } from '../gradient-steps.ts'
import type { PreparedRl, RlRow } from './prepared-rl.ts'
import { type ForwardPart, forwardPart, type RowPart, rowParts } from '../row-parts.ts'
import { rlStepMetrics } from '../step-metrics.ts'
import { toEngineCoefficients } from '../to-engine-coefficients.ts'
import { type TrainingOutcome, type TrainingRunOptions, trainingRunLimits } from '../training-run.ts'

export interface TrainRlOptions extends TrainingRunOptions {
  prepared: PreparedRl
  /** Log-probabilities under fixed weights. */
  score: Engine['score']
  /** The weights at the beginning of the job, for `precalculate_logprobs`. */
  start: ModelVersion
  /** The teacher, from `settings.teacher`, or the reference of the KL penalty, from `settings.klReference`; null without either. */
  reference: ModelVersion | null
  /** Gets each row as it was trained on, with `plot_tensors`. */
  onTensors?: (tensors: RowTensors) => Promise<void> | void
}

/** A row as it was trained on: for each of its sequences, values aligned with the tokens. */
export interface RowTensors {
  index: number
  row: RlRow
  sequences: TrainedSequence[]
}

interface TrainedSequence {
  tokens: SequenceTokens
  objective: SequenceObjective
}

/**
 * Makes one gradient step for each row: forward, objective, backward, optimizer. The same rows, session and position give the same weights.
 * @throws TrainingFailure when numbers stop being finite, EngineError, and the reason of the signal
 */
export async function trainRl(options: TrainRlOptions): Promise<TrainingOutcome> {
  const { rows } = options.prepared
  return await runGradientSteps(rows.length, options, (index) => trainRow(rows[index]!, index, options))
}

async function trainRow(row: RlRow, index: number, options: TrainRlOptions): Promise<StepResult> {
  const { session, signal, prepared } = options
  const { settings } = prepared
  const parts = await rowParts(row, {
    score: options.score,
    recomputeWith: settings.precalculateLogProbabilities ? options.start : null,
    reference: settings.teacher !== null || settings.loss.klCoefficient > 0 ? options.reference : null,
    tokensAtATime: options.limits?.tokensAtATime ?? trainingRunLimits.tokensAtATime,
    signal,
  })
  const { context, onlyPart } = await rowContext(row, parts, options)
  const objectiveOf = settings.teacher === null ? sequenceObjective : distillationObjective
  const statistics = new RowStatistics(settings.loss)
  const trained: TrainedSequence[] = []
  let entropy = 0
  for (const part of parts) {
    signal.throwIfAborted()
    const forward = onlyPart ?? (await forwardPart(part, session, signal))
    const sequences = forward.tokens.map((tokens) => ({ tokens, objective: objectiveOf(tokens, settings.loss, context) }))
    for (const { tokens, objective } of sequences) statistics.add(tokens, objective)
    entropy += forward.entropy
    if (settings.plotTensors && options.onTensors) trained.push(...sequences)
    await session.backward(
      sequences.map(({ objective }) => toEngineCoefficients(objective)),
      signal,
    )
  }
  const { gradientNorm } = await session.step(rlOptimizer(row.learningRate * row.share), signal)
  if (settings.plotTensors) await options.onTensors?.({ index, row, sequences: trained })
  const metrics = statistics.metrics()
  return {
    loss: metrics.loss,
    gradientNorm,
    metrics: rlStepMetrics({ metrics, context, gradientNorm, entropy, learningRate: row.learningRate, share: row.share }),
  }
}

/**
 * The mean distance of a row is needed before any of its coefficients. So with a penalty the whole row runs forward once before; a row of one part then
 * need not run again, since the session still holds it.
 */
async function rowContext(
  row: RlRow,
  parts: readonly RowPart[],
  { session, signal, prepared }: TrainRlOptions,
): Promise<{ context: RowContext; onlyPart: ForwardPart | null }> {
  const { loss } = prepared.settings
  const sampledTokens = countSampled(row.sequences)
  if (loss.klCoefficient === 0) return { context: { sampledTokens, meanDistance: null }, onlyPart: null }
  const forwards: ForwardPart[] = []
  for (const part of parts) forwards.push(await forwardPart(part, session, signal))
  const all = forwards.flatMap(({ tokens }) => tokens)
  return { context: { sampledTokens, meanDistance: meanKlEstimate(all, loss) }, onlyPart: parts.length === 1 ? forwards[0]! : null }
}
