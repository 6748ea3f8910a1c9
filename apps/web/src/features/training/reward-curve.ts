import type { Metrics } from './metrics-by-model.ts'

/** The course of the reward, or the loss, of a model up to a checkpoint. */
export interface RewardCurve {
  metric: 'reward' | 'loss'
  /** Value of the checkpoint itself. */
  last: number
  /** From the oldest checkpoint that has one, the last being that of the checkpoint. */
  values: number[]
}

const maxValues = 40

/** Undefined where the checkpoint has neither reward nor loss. `metrics` are those of the checkpoints of a model, by step. */
export function rewardCurve(metrics: ReadonlyMap<number, Metrics>, step: number): RewardCurve | undefined {
  const own = metrics.get(step)
  const metric = own?.['reward'] === undefined ? 'loss' : 'reward'
  const last = own?.[metric]
  if (last === undefined) return undefined
  const before = [...metrics].filter(([at]) => at <= step).toSorted(([one], [other]) => one - other)
  return { metric, last, values: before.flatMap(([, of]) => of[metric] ?? []).slice(-maxValues) }
}
