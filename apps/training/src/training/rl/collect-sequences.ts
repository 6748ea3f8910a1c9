import { areEqualRewards } from '@heddle/core-api/histories'
import { groupAdvantages } from '../../objective/group-advantages.ts'
import type { RlSettings } from '../../objective/settings/rl-settings.ts'
import { countOnes } from '../../sequences/mask.ts'
import type { SequenceTokenizer } from '../../sequences/sequence-tokenizer.ts'
import { sharedPromptLength } from '../../sequences/packing/shared-prompt.ts'
import {
  hasTrainableElement,
  type TokenizedTrajectory,
  type TokenizeOptions,
  tokenizeTrajectory,
} from '../../sequences/tokenize-trajectory.ts'
import type { SampledSequence } from '../../sequences/token-sequence-builder.ts'
import type { Trajectory } from '../../sequences/trajectory.ts'
import { TrainingInputError } from '../../sequences/training-input-error.ts'
import type { RlSequence } from './prepared-rl.ts'

/** Tokens of one trajectory, over all its sequences. */
const maxTrajectoryTokens = 1_000_000

/** A sequence before the whole job is known. */
export type CollectedSequence = Omit<RlSequence, 'weight'>

export interface CollectedGroups {
  groups: {
    submitted: number
    /** With at least two different rewards; with a teacher, each that is not empty. */
    trainable: number
    rewards: number[][]
  }
  sequences: CollectedSequence[]
  /** Trajectories with something to train on, whatever their rewards. */
  sampledTrajectories: number
  lossyTokens: number
  /** Trajectories whose reward differs from the mean of their group, and without anything to train on. */
  silentTrajectories: number
  unscoredChoices: number
  repeatedChoices: number
  /** Age of trajectories in steps, for those that report it. */
  staleness: { count: number; sum: number; max: number }
}

/** Its trajectories are read one at a time, each once. */
export interface GroupToCollect {
  trajectories: Iterable<Trajectory> | AsyncIterable<Trajectory>
}

export interface CollectInput {
  groups: Iterable<GroupToCollect> | AsyncIterable<GroupToCollect>
  tokenizer: SequenceTokenizer
  /** The newest step of the model. */
  step: number
  isTrainedModel: (name: string) => boolean
}

/** Tokenizes the trajectories whose reward differs from the mean of their group, or all of them where a teacher takes the place of rewards. */
export async function collectSequences(input: CollectInput, settings: RlSettings, pace: () => Promise<void>): Promise<CollectedGroups> {
  const collected: CollectedGroups = {
    groups: { submitted: 0, trainable: 0, rewards: [] },
    sequences: [],
    sampledTrajectories: 0,
    lossyTokens: 0,
    silentTrajectories: 0,
    unscoredChoices: 0,
    repeatedChoices: 0,
    staleness: { count: 0, sum: 0, max: 0 },
  }
  const options: TokenizeOptions = {
    tokenizer: input.tokenizer,
    withoutLogProbabilities: settings.allowTrainingWithoutLogProbabilities,
    isTrainedModel: input.isTrainedModel,
  }
  for await (const group of input.groups) {
    const index = collected.groups.submitted++
    const advantagesOf = (rewards: readonly number[]) =>
      settings.teacher === null ? groupAdvantages(rewards, settings.scaleRewards) : null
    await collectGroup({ collected, group, index, step: input.step, advantagesOf, options, pace })
  }
  return collected
}

interface GroupOptions {
  collected: CollectedGroups
  group: GroupToCollect
  index: number
  step: number
  /** Null where rewards are not learned from. */
  advantagesOf: (rewards: readonly number[]) => readonly number[] | null
  options: TokenizeOptions
  pace: () => Promise<void>
}

/** The data kept of a trajectory until the rewards of its whole group are known. */
interface ReadTrajectory {
  place: string
  hasTrainable: boolean
  /** An error counts where the trajectory is trained on. */
  tokenized: TokenizedTrajectory | TrainingInputError
}

async function collectGroup({ collected, group, index, step, advantagesOf, options, pace }: GroupOptions): Promise<void> {
  const rewards: number[] = []
  const read: ReadTrajectory[] = []
  for await (const trajectory of group.trajectories) {
    await pace()
    noteAge(collected.staleness, trajectory, step)
    read.push(readTrajectory(trajectory, options, `trajectory_groups.${index}.trajectories.${rewards.length}`))
    rewards.push(trajectory.reward ?? 0)
  }
  if (rewards.length === 0) return
  const advantages = advantagesOf(rewards)
  collected.groups.rewards.push(rewards)
  if (advantages === null || !areEqualRewards(rewards)) collected.groups.trainable++
  const found: Omit<CollectedSequence, 'promptLength'>[] = []
  for (const [at, { place, hasTrainable, tokenized }] of read.entries()) {
    const advantage = advantages === null ? null : advantages[at]!
    if (advantage === 0) {
      if (hasTrainable) collected.sampledTrajectories++
      continue
    }
    if (tokenized instanceof TrainingInputError) throw tokenized
    if (tokenized.sequences.length > 0) collected.sampledTrajectories++
    else collected.silentTrajectories++
    collected.lossyTokens += tokenized.lossyTokens
    collected.unscoredChoices += tokenized.unscoredChoices
    collected.repeatedChoices += tokenized.repeatedChoices
    found.push(...withGroup(tokenized.sequences, { group: index, advantage: advantage ?? 0, place }))
  }
  const promptLength = sharedPromptLength(found)
  for (const sequence of found) collected.sequences.push({ ...sequence, promptLength })
}

function readTrajectory(trajectory: Trajectory, options: TokenizeOptions, place: string): ReadTrajectory {
  return { place, hasTrainable: hasTrainableElement(trajectory, options, place), tokenized: tokenize() }

  function tokenize(): ReadTrajectory['tokenized'] {
    try {
      return tokenizeTrajectory(trajectory, options, place)
    } catch (error) {
      if (error instanceof TrainingInputError) return error
      throw error
    }
  }
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
