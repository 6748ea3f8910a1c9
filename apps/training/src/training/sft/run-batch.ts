import type { Engine, ModelVersion, TokenSequence, TrainingSession } from '../../engine/engine.ts'
import { type ComparedPair, dpoObjective } from '../../objective/dpo-objective.ts'
import { sftObjective } from '../../objective/sft-objective.ts'
import type { LabelledSequence } from '../../sequences/fine-tuning/sft-example.ts'
import { countOnes } from '../../sequences/mask.ts'
import { microBatches } from '../micro-batches.ts'
import { toEngineCoefficients } from '../to-engine-coefficients.ts'
import { exampleTokens, type SftExample } from './sft-batches.ts'
import type { PreferenceSettings } from './sft-config.ts'

/** Runs examples through a session. */
export interface BatchRun {
  session: TrainingSession
  /** Tokens sent to the engine at a time. */
  tokensAtATime: number
  signal: AbortSignal
  /** Whether the gradient is computed. */
  learns: boolean
  /** Compares preference pairs; null for conversations. */
  preference: (PreferenceSettings & { score: Engine['score']; version: ModelVersion }) | null
}

export interface BatchResult {
  loss: number
  /** More about the batch, by the names on the wire. */
  metrics: Record<string, number>
}

/** The loss of a batch, whose gradient is then in the session if it learns. */
export function runBatch(examples: readonly SftExample[], run: BatchRun): Promise<BatchResult> {
  return run.preference ? runPairs(examples, run, run.preference) : runConversations(examples, run)
}

async function runConversations(
  examples: readonly SftExample[],
  { session, tokensAtATime, signal, learns }: BatchRun,
): Promise<BatchResult> {
  const labelledTokens = examples.reduce((sum, { labels }) => sum + countOnes(labels), 0)
  let loss = 0
  for (const part of microBatches(examples, tokensAtATime)) {
    signal.throwIfAborted()
    const { logProbabilities } = await session.forward(part.map(toTokenSequence), signal)
    const objective = sftObjective(
      part.map(({ labels }, at) => ({ labels, now: logProbabilities[at]! })),
      labelledTokens,
    )
    loss += objective.loss
    if (learns)
      await session.backward(
        objective.coefficients.map((coefficients) => toEngineCoefficients({ loss: objective.loss, coefficients })),
        signal,
      )
  }
  return { loss, metrics: {} }
}

async function runPairs(
  examples: readonly SftExample[],
  { session, tokensAtATime, signal, learns }: BatchRun,
  preference: NonNullable<BatchRun['preference']>,
): Promise<BatchResult> {
  const sums = { loss: 0, chosen: 0, rejected: 0, right: 0 }
  for (const part of microBatches(examples, tokensAtATime, exampleTokens)) {
    signal.throwIfAborted()
    const batch = part.flatMap(({ rejected, ...chosen }) => [toTokenSequence(chosen), toTokenSequence(rejected!)])
    const compared = await preference.score(preference.version, batch, signal)
    const { logProbabilities } = await session.forward(batch, signal)
    const valuesAt = (at: number) => ({
      labels: batch[at]!.scored,
      now: logProbabilities[at]!,
      reference: compared.logProbabilities[at]!,
    })
    const pairs = part.map((_, at): ComparedPair => ({ chosen: valuesAt(2 * at), rejected: valuesAt(2 * at + 1) }))
    const objectives = pairs.map((pair) => dpoObjective(pair, preference, examples.length))
    for (const { loss, chosenReward, rejectedReward } of objectives) {
      sums.loss += loss
      sums.chosen += chosenReward
      sums.rejected += rejectedReward
      if (chosenReward > rejectedReward) sums.right++
    }
    if (learns)
      await session.backward(
        objectives.flatMap(({ loss, chosen, rejected }) =>
          [chosen, rejected].map((coefficients) => toEngineCoefficients({ loss, coefficients })),
        ),
        signal,
      )
  }
  const { loss, chosen, rejected, right } = sums
  const pairs = examples.length
  const metrics = {
    'rewards/chosen': chosen / pairs,
    'rewards/rejected': rejected / pairs,
    'rewards/margins': (chosen - rejected) / pairs,
    'rewards/accuracies': right / pairs,
  }
  return { loss: loss / pairs, metrics }
}

function toTokenSequence({ tokens, labels }: LabelledSequence): TokenSequence {
  return { tokens, scored: labels }
}
