import type { JobTrajectoryGroup } from '@heddle/core-api/types'
import { sum } from '../../lib/sum.ts'
import type { GroupOrder } from '../training/group-orders.ts'
import { toBins } from '../charts/histogram-bins.ts'

/** Statistics over all groups of a job. */
export interface GroupStatistics {
  trajectories: number
  /** Groups whose rewards are all the same: nothing is learned from them. */
  withoutSpread: number
  truncated: number
  failed: number
  /** Most steps between the weights that sampled a trajectory and those that were trained. Null if no trajectory has it. */
  lag: number | null
}

/** `parentStep` is that of the job; null until it runs. */
export function statisticsOf(groups: readonly JobTrajectoryGroup[], parentStep: number | null): GroupStatistics {
  const versions = groups.flatMap(({ oldest_policy_version: version }) => (version === null ? [] : [version]))
  const oldest = versions.reduce((least, version) => Math.min(least, version), Number.POSITIVE_INFINITY)
  return {
    trajectories: sum(groups.map(({ rewards }) => rewards.length)),
    withoutSpread: groups.filter(({ reward_std_dev }) => reward_std_dev === 0).length,
    truncated: sum(groups.map(({ truncated }) => truncated)),
    failed: sum(groups.map(({ num_exceptions }) => num_exceptions)),
    lag: parentStep === null || versions.length === 0 ? null : Math.max(0, parentStep - oldest),
  }
}

/** Which groups are shown, and in which order. */
export interface GroupsView {
  order: GroupOrder
  /** Only groups with a reward in this range. */
  range: RewardRange | undefined
}

/** Rewards from `from` on, and less than `below`. */
export interface RewardRange {
  from: number
  below: number
}

/** The range of a bin, by its number from 1; undefined if there is none. */
export function rangeOf(rewards: readonly number[], bin: number | undefined): RewardRange | undefined {
  const bins = toBins(rewards)
  const chosen = bin === undefined ? undefined : bins[bin - 1]
  return chosen && { from: chosen.low, below: bins[bin ?? 0]?.low ?? Number.POSITIVE_INFINITY }
}

/** By spread the widest first, by mean reward the lowest first, else in the order of the request. */
export function viewGroups(groups: readonly JobTrajectoryGroup[], { order, range }: GroupsView): JobTrajectoryGroup[] {
  const isIn = (reward: number) => range === undefined || (reward >= range.from && reward < range.below)
  const shown = range === undefined ? [...groups] : groups.filter(({ rewards }) => rewards.some(isIn))
  if (order === 'spread') shown.sort((one, other) => other.reward_std_dev - one.reward_std_dev)
  if (order === 'reward') shown.sort((one, other) => meanOf(one.rewards) - meanOf(other.rewards))
  return shown
}

/** 0 for none. */
export const meanOf = (values: readonly number[]) => (values.length === 0 ? 0 : sum(values) / values.length)

/** Standard deviation of the population; 0 for none. */
export function spreadOf(values: readonly number[]): number {
  const mean = meanOf(values)
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)))
}

/** Name of the group: from its metadata, else its number. */
export function nameOfGroup({ group, metadata }: Pick<JobTrajectoryGroup, 'group' | 'metadata'>): string {
  const name = metadata['scenario_id'] ?? metadata['group_id'] ?? metadata['name']
  return typeof name === 'string' && name !== '' ? name : `Group ${group + 1}`
}
