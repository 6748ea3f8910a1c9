import { batchWeights, distillationWeights } from '../../objective/batch-weights.ts'
import { deviationMultiplier, type RewardDeviation, shareOfStep, trajectoriesMultiplier } from '../../objective/learning-rate.ts'
import { countSampled } from '../../objective/rl-loss.ts'
import { rewardStatistics } from '../../objective/reward-statistics.ts'
import { describeRlSettings } from '../../objective/settings/describe-rl-settings.ts'
import { resolveRlSettings, type TrainedModel } from '../../objective/settings/resolve-rl-settings.ts'
import type { RlSettings } from '../../objective/settings/rl-settings.ts'
import type { TrainingConfig } from '../../objective/settings/training-config.ts'
import { countOnes } from '../../sequences/mask.ts'
import { countTrajectories, packRows } from '../../sequences/packing/pack-rows.ts'
import { automaticRowLength } from '../../sequences/packing/row-length.ts'
import type { SequenceTokenizer } from '../../sequences/sequence-tokenizer.ts'
import { shuffled } from '../../sequences/packing/shuffle.ts'
import { collectSequences, type CollectedGroups, type CollectInput } from './collect-sequences.ts'
import { cutSequences, type CutSequences } from './cut-sequences.ts'
import { whyNoTraining } from './why-no-training.ts'
import type { PreparedRl, RlRow } from './prepared-rl.ts'
import { createPacer } from '../pacer.ts'
import { rlNotes } from './rl-notes.ts'

export interface PrepareRlInput {
  /** In the order of the request, after their shape was checked. */
  groups: CollectInput['groups']
  config: TrainingConfig
  model: TrainedModel
  tokenizer: SequenceTokenizer
  /** The newest step of the model, from which the age of trajectories is counted. */
  step: number
  /** Deviations of earlier steps, oldest first. */
  deviations: readonly RewardDeviation[]
  /** Decides the order of rows where the config does not: with the same seed it is the same. Null keeps that of the request. */
  seed: number | null
  /** Whether a recorded response is of the model under training, by the name in it. */
  isTrainedModel: (name: string) => boolean
  signal: AbortSignal
}

/**
 * Turns trajectory groups into rows of sequences with advantages and weights. Lets the event loop run in between.
 * @throws ApiError 400 for a config that contradicts itself, TrainingInputError for trajectories that cannot be tokens of this model
 */
export async function prepareRl(input: PrepareRlInput): Promise<PreparedRl> {
  const settings = resolveRlSettings(input.config, input.model)
  const pace = createPacer(input.signal)
  const collected = await collectSequences(input, settings, pace)
  const { groups, sequences } = collected
  const longest = sequences.reduce((most, { tokens }) => Math.max(most, tokens.length), 0)
  const rowLength = settings.rowLength ?? automaticRowLength({ longest, most: input.model.contextLength, chunkSize: settings.chunkSize })
  const cut = cutSequences(sequences, rowLength)
  const rows = await weighRows(cut, { settings, rowLength, deviations: input.deviations, pace })
  const nothingToTrain = rows.length > 0 ? null : whyNoTraining(collected, cut)
  const rewards = rewardStatistics(groups.rewards)
  const seed = settings.seed ?? input.seed
  return {
    settings,
    rowLength,
    rows: seed === null ? rows : shuffled(rows, seed),
    nothingToTrain,
    metrics: { ...groupMetrics(collected), ...(nothingToTrain ? {} : trainingMetrics(collected, rows)) },
    rewards,
    notes: rlNotes({ settings, config: input.config, model: input.model, cut, collected, rowLength }),
    resolvedConfig: describeRlSettings(settings, rowLength),
  }
}

async function weighRows({ kept }: CutSequences, { settings, rowLength, deviations, pace }: WeighOptions): Promise<RlRow[]> {
  const spans = kept.map(({ sequence, sampled }) => ({ ...sequence, tokens: sampled }))
  const weights = settings.teacher === null ? batchWeights(spans, settings.advantageBalance) : distillationWeights(spans)
  if (weights === null) return []
  await pace()
  const packed = packRows(
    kept.map(({ sequence }, at) => ({ ...sequence, ...weights[at]! })),
    rowLength,
  )
  const multiplier = settings.scaleLearningRateByRewardStdDev ? deviationMultiplier(deviations) : 1
  const sampled = packed.map(({ sequences }) => countSampled(sequences))
  const share = (at: number) => (at === packed.length - 1 ? shareOfStep(sampled[at]!, sampled.slice(0, -1)) : 1)
  return packed.map((row, at) => ({
    ...row,
    learningRate: settings.learningRate * multiplier * trajectoriesMultiplier(countTrajectories(row), settings.trajectoriesPower),
    share: share(at),
  }))
}

interface WeighOptions {
  settings: RlSettings
  rowLength: number
  deviations: readonly RewardDeviation[]
  pace: () => Promise<void>
}

function groupMetrics({ groups }: CollectedGroups): Record<string, number> {
  return { num_groups_submitted: groups.submitted, num_groups_trainable: groups.trainable }
}

function trainingMetrics(collected: CollectedGroups, rows: readonly RlRow[]): Record<string, number> {
  const { groups, staleness, sampledTrajectories } = collected
  const trajectories = groups.rewards.flat().length
  const { reward, rewardStdDev } = rewardStatistics(groups.rewards)
  const sampled = rows.reduce((sum, row) => sum + row.sequences.reduce((count, { mask }) => count + countOnes(mask), 0), 0)
  return {
    num_trajectories: trajectories,
    num_dropped_trajectories: trajectories - sampledTrajectories,
    num_trainable_tokens: sampled,
    reward,
    reward_std_dev: rewardStdDev,
    ...(staleness.count === 0 ? {} : { staleness_mean: staleness.sum / staleness.count, staleness_max: staleness.max }),
  }
}
