import { sftOptimizer } from '../../objective/optimizer-settings.ts'
import { sftObjective } from '../../objective/sft-objective.ts'
import { countOnes } from '../../sequences/mask.ts'
import { runGradientSteps, type StepResult } from '../gradient-steps.ts'
import { microBatches } from '../micro-batches.ts'
import type { PreparedSft, SftBatch } from './prepare-sft.ts'
import { sftStepMetrics } from '../step-metrics.ts'
import { toEngineCoefficients } from '../to-engine-coefficients.ts'
import { type TrainingOutcome, type TrainingRunOptions, trainingRunLimits } from '../training-run.ts'

export interface TrainSftOptions extends TrainingRunOptions {
  prepared: PreparedSft
}

/**
 * Makes one gradient step for each batch: forward, mean over labelled tokens, backward, optimizer.
 * @throws TrainingFailure when numbers are no longer finite, EngineError, and the reason of the signal
 */
export async function trainSft(options: TrainSftOptions): Promise<TrainingOutcome> {
  const { batches } = options.prepared
  return await runGradientSteps(batches.length, options, (index) => trainBatch(batches[index]!, index, options))
}

async function trainBatch({ sequences, learningRate, share }: SftBatch, index: number, options: TrainSftOptions): Promise<StepResult> {
  const { session, signal, prepared, now = () => performance.now() } = options
  const startedAt = now()
  const labelledTokens = sequences.reduce((sum, { labels }) => sum + countOnes(labels), 0)
  let loss = 0
  for (const part of microBatches(sequences, options.limits?.tokensAtATime ?? trainingRunLimits.tokensAtATime)) {
    signal.throwIfAborted()
    const batch = part.map(({ tokens, labels }) => ({ tokens, scored: labels }))
    const { logProbabilities } = await session.forward(batch, signal)
    const objective = sftObjective(
      part.map(({ labels }, at) => ({ labels, now: logProbabilities[at]! })),
      labelledTokens,
    )
    loss += objective.loss
    await session.backward(
      objective.coefficients.map((coefficients) => toEngineCoefficients({ loss: objective.loss, coefficients })),
      signal,
    )
  }
  const { gradientNorm } = await session.step(sftOptimizer(learningRate * share), signal)
  const tokens = sequences.reduce((sum, sequence) => sum + sequence.tokens.length, 0)
  const seconds = (now() - startedAt) / 1000
  const metrics = sftStepMetrics({
    index,
    loss,
    gradientNorm,
    learningRate,
    share,
    tokens,
    labelledTokens,
    conversations: sequences.length,
    droppedConversations: prepared.dropped,
    tokensPerSecond: seconds > 0 ? tokens / seconds : null,
  })
  return { loss, gradientNorm, metrics }
}
