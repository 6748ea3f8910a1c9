import { isJsonNumber } from '@heddle/json'
import type { SentGroupFields } from '../../request-body/read-groups.ts'

/** Sums of a log from which its metrics follow, one group at a time. */
export interface MetricSums {
  reward: Mean
  /** Population standard deviations of groups with two or more trajectories. */
  deviation: Mean
  failed: number
  finished: number
  /** By name, over the trajectories that have it. */
  ofTrajectories: Map<string, Mean>
  /** By name, once a group. */
  ofGroups: Map<string, Mean>
}

interface Mean {
  sum: number
  count: number
}

export function newMetricSums(): MetricSums {
  const none = () => ({ sum: 0, count: 0 })
  return { reward: none(), deviation: none(), failed: 0, finished: 0, ofTrajectories: new Map(), ofGroups: new Map() }
}

export interface GroupOfMetrics extends Pick<SentGroupFields, 'exceptions' | 'metrics'> {
  trajectories: readonly { reward: number; metrics: Readonly<Record<string, unknown>> }[]
}

/** Adds a group. Booleans count as 1 and 0; values that are not numbers are ignored. */
export function addGroup(sums: MetricSums, { trajectories, exceptions, metrics }: GroupOfMetrics): void {
  const rewards = trajectories.map(({ reward }) => reward)
  for (const reward of rewards) add(sums.reward, reward)
  if (rewards.length > 1) add(sums.deviation, standardDeviation(rewards))
  sums.failed += exceptions.length
  sums.finished += trajectories.length
  for (const trajectory of trajectories) addAll(sums.ofTrajectories, trajectory.metrics)
  addAll(sums.ofGroups, metrics)
}

/** The metrics of a log by their names, which begin with its split. */
export function toMetrics(sums: MetricSums, split: string): Record<string, number> {
  const attempts = sums.failed + sums.finished
  return {
    ...(sums.reward.count > 0 && { [`${split}/reward`]: meanOf(sums.reward) }),
    [`${split}/reward_std_dev`]: sums.deviation.count > 0 ? meanOf(sums.deviation) : 0,
    ...(attempts > 0 && { [`${split}/exception_rate`]: sums.failed / attempts }),
    ...Object.fromEntries([...sums.ofTrajectories].map(([name, mean]) => [`${split}/${name}`, meanOf(mean)])),
    ...Object.fromEntries([...sums.ofGroups].map(([name, mean]) => [`${split}/group_metric_${name}`, meanOf(mean)])),
  }
}

/** Sums of both. */
export function mergeSums(one: MetricSums, other: MetricSums): MetricSums {
  return {
    reward: both(one.reward, other.reward),
    deviation: both(one.deviation, other.deviation),
    failed: one.failed + other.failed,
    finished: one.finished + other.finished,
    ofTrajectories: mergeMeans(one.ofTrajectories, other.ofTrajectories),
    ofGroups: mergeMeans(one.ofGroups, other.ofGroups),
  }
}

const both = (one: Mean, other: Mean): Mean => ({ sum: one.sum + other.sum, count: one.count + other.count })

function mergeMeans(one: ReadonlyMap<string, Mean>, other: ReadonlyMap<string, Mean>): Map<string, Mean> {
  const merged = new Map(one)
  for (const [name, mean] of other) merged.set(name, both(merged.get(name) ?? { sum: 0, count: 0 }, mean))
  return merged
}

/** As they are kept. */
export function writeSums({ ofTrajectories, ofGroups, ...sums }: MetricSums): unknown {
  return { ...sums, ofTrajectories: [...ofTrajectories], ofGroups: [...ofGroups] }
}

/** @param written what `writeSums` returned; undefined for sums of nothing */
export function readSums(written: unknown): MetricSums {
  if (written === undefined) return newMetricSums()
  const { ofTrajectories, ofGroups, ...sums } = written as MetricSums
  return { ...sums, ofTrajectories: new Map(ofTrajectories), ofGroups: new Map(ofGroups) }
}

const meanOf = ({ sum, count }: Mean) => sum / count

function add(mean: Mean, value: number): void {
  mean.sum += value
  mean.count++
}

function addAll(means: Map<string, Mean>, metrics: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(metrics)) {
    if (typeof value !== 'number' && typeof value !== 'boolean' && !isJsonNumber(value)) continue
    const mean = means.get(name) ?? { sum: 0, count: 0 }
    means.set(name, mean)
    add(mean, Number(value))
  }
}

function standardDeviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}
