import { assertFiniteOptions } from '@heddle/core-api/internal'
import { logprobsOf, type LogprobsState } from '../trajectory/find-logprobs.ts'
import { type CollectedGroups, type Exclusion, isTrainable, type TracedGroup } from './collect-groups.ts'

export interface Spread {
  min: number
  mean: number
  max: number
  /** Standard deviation of the population, as training computes it. */
  std_dev: number
}

/** The training data of a job, before it is started. */
export interface TrainingPlan {
  traces: number
  /** Groups that are trained on. */
  groups: number
  trajectories: number
  /** Number of groups by their number of trajectories. */
  group_sizes: Record<string, number>
  /** From the traces; 0 if they do not record tokens. */
  tokens: number
  rewards: Spread | null
  logprobs: Record<LogprobsState, number>
  /** Gradient steps, about: one for each row that the conversations fill. Null where tokens were not counted. */
  estimated_steps: number | null
  /** Excluded attempts, by reason. */
  refused: { reason: Exclusion; attempts: number }[]
  warnings: string[]
}

/** Rows are as long as the longest sequence, rounded up to a multiple of this, and at most as long as the model allows. */
const rowStep = 2_048

export interface PlanOptions {
  /** Tokens that the model takes together. Without it, as many as rows have: then a model that takes fewer makes more steps than are estimated. */
  maxTokens?: number | undefined
}

/** @throws RangeError for an option that is not finite */
export function planTraining({ traces, groups, excluded, warnings }: CollectedGroups, options: PlanOptions = {}): TrainingPlan {
  assertFiniteOptions(options)
  const { maxTokens = Number.POSITIVE_INFINITY } = options
  const trained = groups.filter(isTrainable)
  const trajectories = trained.flatMap(({ group }) => group.trajectories)
  const states = trajectories.map(logprobsOf)
  const sizes = trained.flatMap((one) => one.sizes)
  return {
    traces,
    groups: trained.length,
    trajectories: trajectories.length,
    group_sizes: countBy(trained.map(({ group }) => group.trajectories.length)),
    tokens: sizes.reduce((sum, { tokens }) => sum + tokens, 0),
    rewards: spreadOf(trajectories.map(({ reward }) => reward)),
    logprobs: { complete: count(states, 'complete'), partial: count(states, 'partial'), none: count(states, 'none') },
    estimated_steps: rowsOf(
      sizes.map(({ longest }) => longest),
      maxTokens,
    ),
    refused: refusedOf(groups, excluded),
    warnings,
  }
}

/** Null without rewards. */
export function spreadOf(rewards: readonly number[]): Spread | null {
  if (rewards.length === 0) return null
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length
  const variance = rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / rewards.length
  const short = (value: number) => Number(value.toPrecision(4))
  const min = rewards.reduce((a, b) => Math.min(a, b))
  const max = rewards.reduce((a, b) => Math.max(a, b))
  return { min, mean: short(mean), max, std_dev: short(Math.sqrt(variance)) }
}

function refusedOf(groups: readonly TracedGroup[], alone: ReadonlyMap<Exclusion, number>): TrainingPlan['refused'] {
  const sums = new Map(alone)
  for (const { excluded } of groups) for (const [reason, attempts] of excluded) sums.set(reason, (sums.get(reason) ?? 0) + attempts)
  return [...sums].map(([reason, attempts]) => ({ reason, attempts })).toSorted((a, b) => b.attempts - a.attempts)
}

/** Rows that hold sequences of these lengths, in their order. */
function rowsOf(lengths: readonly number[], maxTokens: number): number | null {
  if (lengths.length === 0) return 0
  if (lengths.includes(0)) return null
  const longest = lengths.reduce((a, b) => Math.max(a, b))
  const row = Math.min(Math.ceil(longest / rowStep) * rowStep, Math.max(longest, maxTokens))
  let rows = 1
  let used = 0
  for (const length of lengths) {
    if (used + length > row) {
      rows++
      used = 0
    }
    used += length
  }
  return rows
}

function countBy(values: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

const count = (states: readonly LogprobsState[], state: LogprobsState) => states.filter((one) => one === state).length
