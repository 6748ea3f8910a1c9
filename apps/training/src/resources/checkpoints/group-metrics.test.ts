import { expect, test } from 'vitest'
import { addGroup, type GroupOfMetrics, mergeSums, newMetricSums, readSums, toMetrics, writeSums } from './group-metrics.ts'

const aGroup = (rewards: number[], over: Partial<GroupOfMetrics> = {}): GroupOfMetrics => ({
  trajectories: rewards.map((reward) => ({ reward, metrics: {} })),
  exceptions: [],
  metrics: {},
  ...over,
})

function metricsOf(groups: GroupOfMetrics[], split = 'train') {
  const sums = newMetricSums()
  for (const group of groups) addGroup(sums, group)
  return toMetrics(sums, split)
}

test('the worked example of the interface', () => {
  const metrics = metricsOf([aGroup([1, 0, 0, 1]), aGroup([0.2, 0.4, 0.9]), aGroup([1])])
  expect(metrics['train/reward']).toBeCloseTo(0.5625, 6)
  expect(metrics['train/reward_std_dev']).toBeCloseTo(0.397196, 6)
  expect(metrics['train/exception_rate']).toBe(0)
})

test('failed attempts count as exceptions, and not in the mean', () => {
  expect(metricsOf([aGroup([1, 0], { exceptions: [{}, {}] })], 'val')).toEqual({
    'val/reward': 0.5,
    'val/reward_std_dev': 0.5,
    'val/exception_rate': 0.5,
  })
})

test('a metric is averaged over the trajectories that have it, and that of a group once a group', () => {
  const trajectories = [{ correct: true, turns: 4 }, { correct: false }, {}].map((metrics) => ({ reward: 0, metrics }))
  const groups = [aGroup([], { trajectories, metrics: { tries: 2 } }), aGroup([], { metrics: { tries: 4 } })]
  expect(metricsOf(groups)).toMatchObject({ 'train/correct': 0.5, 'train/turns': 4, 'train/group_metric_tries': 3 })
})

test('a log without trajectories has no reward', () => {
  expect(metricsOf([aGroup([])])).toEqual({ 'train/reward_std_dev': 0 })
})

test('a log in parts has the metrics of the whole', () => {
  const groups = [
    aGroup([1, 0, 0, 1], { metrics: { tries: 2 } }),
    aGroup([0.2, 0.4, 0.9], { exceptions: [{}] }),
    aGroup([], { trajectories: [{ reward: 1, metrics: { turns: 4 } }] }),
  ]
  const parts = groups.map((group) => {
    const sums = newMetricSums()
    addGroup(sums, group)
    return sums
  })
  const kept = parts.reduce((all, part) => readSums(JSON.parse(JSON.stringify(writeSums(mergeSums(all, part))))), readSums(undefined))
  expect(toMetrics(kept, 'val')).toEqual(metricsOf(groups, 'val'))
})
