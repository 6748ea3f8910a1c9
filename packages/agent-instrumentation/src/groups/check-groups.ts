import { assertFiniteNumbers, assertFiniteOptions } from '@heddle/core-api/internal'
import { areEqualRewards, isChoice } from '@heddle/core-api/histories'
import { type LogprobsState, logprobsOf } from '../trajectory/find-logprobs.ts'
import type { RecordedGroup, RecordedTrajectory } from '../trajectory/recorded.ts'

/** Reasons why training would learn nothing from groups, before they are sent. */
export interface GroupsReport {
  groups: number
  /** Groups with at least two different rewards; training learns nothing from others. Differences from rounding do not count. */
  trainableGroups: number
  trajectories: number
  failedAttempts: number
  reward: { mean: number; min: number; max: number } | null
  logprobs: Record<LogprobsState, number>
  /** In words, with the group that each is about. */
  warnings: string[]
}

export interface CheckOptions {
  /** Most training steps between the policy versions of one group. Default 4. */
  maxVersionSpread?: number
}

/**
 * Reports on groups of one training step. A group with one trajectory, or with equal rewards, has no advantage to learn from (GRPO, Shao et al. 2024).
 * @throws RangeError for an option that is not finite; TypeError for such a number in the groups, which the training service refuses
 */
export function checkGroups(groups: readonly RecordedGroup[], options: CheckOptions = {}): GroupsReport {
  const { maxVersionSpread = 4 } = options
  assertFiniteOptions(options)
  assertFiniteNumbers({ groups })
  const trajectories = groups.flatMap((group) => group.trajectories)
  const states = trajectories.map(logprobsOf)
  const rewards = trajectories.map(({ reward }) => reward)
  return {
    groups: groups.length,
    trainableGroups: groups.filter(isTrainable).length,
    trajectories: trajectories.length,
    failedAttempts: groups.reduce((total, { exceptions }) => total + exceptions.length, 0),
    reward: rewards.length === 0 ? null : { mean: mean(rewards), min: least(rewards), max: -least(rewards.map((value) => -value)) },
    logprobs: { complete: count(states, 'complete'), partial: count(states, 'partial'), none: count(states, 'none') },
    warnings: groups.flatMap((group, index) => warningsOf(group, maxVersionSpread).map((text) => `group ${nameOf(group, index)}: ${text}`)),
  }
}

function isTrainable({ trajectories }: RecordedGroup): boolean {
  return !areEqualRewards(trajectories.map(({ reward }) => reward))
}

function warningsOf(group: RecordedGroup, maxVersionSpread: number): string[] {
  const { trajectories } = group
  const warnings: string[] = []
  if (trajectories.length < 2) warnings.push(`${trajectories.length} of its attempts finished, and a comparison needs two`)
  else if (!isTrainable(group)) warnings.push('all rewards are equal, so it teaches nothing')
  const versions = trajectories
    .flatMap(({ initial_policy_version: a, final_policy_version: b }) => [a, b])
    .filter((version) => version !== null)
  const spread = versions.length === 0 ? 0 : -least(versions.map((value) => -value)) - least(versions)
  if (spread > maxVersionSpread)
    warnings.push(`its policy versions are ${spread} steps apart; more than ${maxVersionSpread} make old samples misleading`)
  const cut = trajectories.filter(isCut).length
  if (cut > 0) warnings.push(`${cut} of its attempts were cut by the maximum length`)
  const unscored = trajectories.filter((trajectory) => logprobsOf(trajectory) !== 'complete').length
  if (unscored > 0) warnings.push(`${unscored} of its attempts have choices without log-probabilities, which are not trained on`)
  return warnings
}

function isCut(trajectory: RecordedTrajectory): boolean {
  const histories = [trajectory, ...trajectory.additional_histories]
  return histories.some(({ messages_and_choices: all }) =>
    all.some((element) => isChoice(element) && element['finish_reason'] === 'length'),
  )
}

function nameOf({ metadata }: RecordedGroup, place: number): string {
  return String(metadata['group_id'] ?? place)
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length
const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
const count = (states: readonly LogprobsState[], state: LogprobsState) => states.filter((one) => one === state).length
