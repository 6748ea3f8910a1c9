import { roundChange } from '../../lib/texts/number-text.ts'

/** Names of metrics on the wire, and their titles. */
const titles: Readonly<Record<string, string>> = {
  reward: 'Reward',
  reward_std_dev: 'Reward spread',
  loss: 'Loss',
  policy_loss: 'Policy loss',
  entropy: 'Entropy',
  grad_norm: 'Gradient norm',
  learning_rate: 'Learning rate',
  kl_policy_ref: 'KL to reference',
  'loss/kl_policy_ref': 'KL to reference',
  'loss/entropy': 'Entropy',
  'loss/importance_ratio_mean': 'Importance ratio, mean',
  'loss/importance_ratio_p95': 'Importance ratio, p95',
  'loss/importance_ratio_p99': 'Importance ratio, p99',
  'loss/clipped_token_fraction': 'Clipped tokens',
  probs_corr: 'Probability correlation',
  num_tokens: 'Tokens',
  num_trainable_tokens: 'Trained tokens',
  num_trajectories: 'Trajectories',
  num_dropped_trajectories: 'Dropped trajectories',
  num_groups_submitted: 'Groups',
  num_groups_trainable: 'Groups with spread',
  staleness_mean: 'Staleness, mean',
  staleness_max: 'Staleness, most',
  tokens_per_second: 'Tokens per second',
  gradient_step: 'Gradient step',
}

/** The title of a metric. An unknown metric keeps its name; `val/` marks a validation metric. */
export function titleOfMetric(name: string): string {
  const known = titles[name]
  if (known !== undefined) return known
  const measured = name.startsWith('val/') ? name.slice('val/'.length) : undefined
  return measured === undefined ? name : `Validation: ${(titles[measured] ?? measured).toLowerCase()}`
}

/** Shares of a whole. */
const isShare = (name: string) => /(?:fraction|exception_rate)$/.test(name)

/** A value of a metric in three digits: shares in percent, large counts shortened. `most` is the highest of the values that it is read with, as on an axis. */
export function metricText(name: string, value: number, most = value): string {
  if (isShare(name)) return `${Number((value * 100).toPrecision(3))}%`
  const size = Math.abs(value)
  if (size >= 10_000) return value.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 3 })
  if (size >= 1_000) return Math.round(value).toLocaleString('en')
  if (size !== 0 && size < 0.0001 && Math.abs(most) < 0.001) return toExponent(value)
  return String(Number(value.toPrecision(3))).replace('-', '−')
}

/** Without zeros at the end of its digits. */
const toExponent = (value: number) =>
  value
    .toExponential(2)
    .replace(/\.?0+e/, 'e')
    .replaceAll('-', '−')

/** The same in a column of a table: those below 1 with equally many decimals as their neighbours. */
export const metricColumnText = (name: string, value: number): string =>
  !isShare(name) && Math.abs(value) >= 0.001 && Math.abs(value) < 1 ? value.toFixed(3).replace('-', '−') : metricText(name, value)

/** The size of a change of a metric, without its sign. */
export const changeText = (name: string, change: number): string => metricText(name, roundChange(change))
