import type { JobTrajectoryGroup } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { nameOfGroup, rangeOf, statisticsOf, viewGroups, spreadOf } from './group-statistics.ts'

const aGroup = (group: number, rewards: number[], more: Partial<JobTrajectoryGroup> = {}): JobTrajectoryGroup => ({
  id: `job:${group}`,
  group,
  rewards,
  advantages: rewards.map(() => 0),
  reward_std_dev: Math.max(...rewards) - Math.min(...rewards),
  truncated: 0,
  num_exceptions: 0,
  exceptions: [],
  oldest_policy_version: null,
  metadata: {},
  ...more,
})

test('groups without spread, what was cut, what failed and the oldest weights are counted', () => {
  const groups = [aGroup(0, [1, 1]), aGroup(1, [0, 1], { truncated: 1, num_exceptions: 2, oldest_policy_version: 3 })]
  expect(statisticsOf(groups, 5)).toEqual({ trajectories: 4, withoutSpread: 1, truncated: 1, failed: 2, lag: 2 })
  expect(statisticsOf(groups, null).lag).toBeNull()
  expect(statisticsOf([aGroup(0, [1])], 5).lag).toBeNull()
})

test('groups are ordered by spread, by reward or as they were sent, and those of a range are chosen', () => {
  const groups = [aGroup(0, [1, 1]), aGroup(1, [0, 1]), aGroup(2, [0.25, 0.5])]
  const placesOf = (view: Parameters<typeof viewGroups>[1]) => viewGroups(groups, view).map(({ group }) => group)
  expect(placesOf({ order: 'spread', range: undefined })).toEqual([1, 2, 0])
  expect(placesOf({ order: 'reward', range: undefined })).toEqual([2, 1, 0])
  expect(placesOf({ order: 'request', range: rangeOf([0, 0.25, 0.5, 1], 3) })).toEqual([2])
  expect(rangeOf([0, 1], 2)).toEqual({ from: 1, below: Number.POSITIVE_INFINITY })
  expect(rangeOf([0, 1], 3)).toBeUndefined()
})

test('a group is called by its metadata, else by its place', () => {
  expect(nameOfGroup({ group: 0, metadata: { scenario_id: 'Refund' } })).toBe('Refund')
  expect(nameOfGroup({ group: 2, metadata: { scenario_id: 7 } })).toBe('Group 3')
})

test('the spread of values is their standard deviation, and 0 without any', () => {
  expect(spreadOf([0, 0, 2, 2])).toBe(1)
  expect(spreadOf([])).toBe(0)
})
