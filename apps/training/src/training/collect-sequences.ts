import { groupAdvantages } from '../objective/group-advantages.ts'
import type { RlSettings } from '../objective/settings/rl-settings.ts'
import { countOnes } from '../sequences/mask.ts'
import type { SequenceTokenizer } from '../sequences/sequence-tokenizer.ts'
import { sharedPromptLength } from '../sequences/shared-prompt.ts'
import { hasTrainableElement, type TokenizeOptions, tokenizeTrajectory } from '../sequences/tokenize-trajectory.ts'
import type { SampledSequence } from '../sequences/token-sequence-builder.ts'
import type { Trajectory, TrajectoryGroup } from '../sequences/trajectory.ts'
import { TrainingInputError } from '../sequences/training-input-error.ts'
import type { RlSequence } from './prepared-rl.ts'

/** Of one trajectory, all sequences together. */
const maxTrajectoryTokens = 1_000_000

/** A sequence before the whole job is known. */
export type CollectedSequence = Omit<RlSequence, 'weight'>

export interface CollectedGroups {
  groups: {
    submitted: number
    /** With at least two different rewards. */
    trainable: number
    rewards: number[][]
  }
  sequences: CollectedSequence[]
  /** Trajectories with something to train on, whatever their rewards. */
  sampledTrajectories: number
  lossyTokens: number
  /** How many steps old trajectories are, of those that say so. */
  staleness: { count: number; sum: number; max: number }
}

export interface CollectInput {
  groups: Iterable<TrajectoryGroup> | AsyncIterable<TrajectoryGroup>
  tokenizer: SequenceTokenizer
  /** The newest step of the model. */
  step: number
  isTrainedModel: (name: string) => boolean
}

/** Tokenizes the trajectories whose reward differs from the mean of their group. */
export async function collectSequences(input: CollectInput, settings: RlSettings, pace: () => Promise<void>): Promise<CollectedGroups> {
  const collected: CollectedGroups = {
    groups: { submitted: 0, trainable: 0, rewards: [] },
    sequences: [],
    sampledTrajectories: 0,
    lossyTokens: 0,
    staleness: { count: 0, sum: 0, max: 0 },
  }
  const options: TokenizeOptions = {
    tokenizer: input.tokenizer,
    withoutLogProbabilities: settings.allowTrainingWithoutLogProbabilities,
    isTrainedModel: input.isTrainedModel,
  }
  for await (const group of input.groups) {
    const index = collected.groups.submitted++
    if (group.trajectories.length > 0)
      await collectGroup({ collected, group, index, step: input.step, scale: settings.scaleRewards, options, pace })
  }
  return collected
}

interface GroupOptions {
  collected: CollectedGroups
  group: TrajectoryGroup
  index: number
  step: number
  scale: boolean
  options: TokenizeOptions
  pace: () => Promise<void>
}

async function collectGroup({ collected, group, index, step, scale, options, pace }: GroupOptions): Promise<void> {
  const rewards = group.trajectories.map(({ reward }) => reward ?? 0)
  const advantages = groupAdvantages(rewards, scale)
  collected.groups.rewards.push(rewards)
  if (new Set(rewards).size > 1) collected.groups.trainable++
  const found: Omit<CollectedSequence, 'promptLength'>[] = []
  for (const [at, trajectory] of group.trajectories.entries()) {
    await pace()
    const place = `trajectory_groups.${index}.trajectories.${at}`
    noteAge(collected.staleness, trajectory, step)
    if (advantages[at] === 0) {
      if (hasTrainableElement(trajectory, options, place)) collected.sampledTrajectories++
      continue
    }
    const { sequences, lossyTokens } = tokenizeTrajectory(trajectory, options, place)
    if (sequences.length > 0) collected.sampledTrajectories++
    collected.lossyTokens += lossyTokens
    found.push(...withGroup(sequences, { group: index, advantage: advantages[at]!, place }))
  }
  const promptLength = sharedPromptLength(found)
  for (const sequence of found) collected.sequences.push({ ...sequence, promptLength })
}

/** @throws TrainingInputError for a trajectory of more tokens than one may have */
function withGroup(
  sequences: readonly SampledSequence[],
  { group, advantage, place }: { group: number; advantage: number; place: string },
): Omit<CollectedSequence, 'promptLength'>[] {
  const tokens = sequences.reduce((sum, sequence) => sum + sequence.tokens.length, 0)
  if (tokens > maxTrajectoryTokens) {
    throw new TrainingInputError(`${place} has ${tokens} tokens; a trajectory may have ${maxTrajectoryTokens}`)
  }
  const trajectoryTokens = sequences.reduce((sum, { mask }) => sum + countOnes(mask), 0)
  return sequences.map((sequence) => ({ ...sequence, group, advantage, trajectoryTokens }))
}

function noteAge(staleness: CollectedGroups['staleness'], { initial_policy_version: version }: Trajectory, step: number): void {
  if (version == null) return
  const age = Math.max(step - version, 0)
  staleness.count++
  staleness.sum += age
  staleness.max = Math.max(staleness.max, age)
}
