import { bootstrapInterval, meanOf } from './statistics/bootstrap-interval.ts'
import type { Interval } from './statistics/interval.ts'
import { wilsonInterval } from './statistics/wilson-interval.ts'

/** How an interval was computed: Wilson and Newcombe for rates, BCa bootstrap over rows for means. */
export type IntervalMethod = 'wilson' | 'newcombe' | 'bca'

/** A mean over rows with its error as far as known. */
export interface Estimate {
  value: number
  /** Null with fewer than two rows, except for rates. */
  interval: Interval | null
  method: IntervalMethod
}

export interface EstimateOptions {
  /** Two-sided level, between 0 and 1. */
  confidence: number
  /** Seed of the bootstrap. */
  seed: number
}

/**
 * Mean of values of rows, each of which counts once. A rate of single trials has the Wilson interval; rates of several trials a row are
 * means, since the trials of a row depend on each other. `values` must not be empty.
 */
export function estimate(values: readonly number[], isSingleRate: boolean, options: EstimateOptions): Estimate {
  const value = meanOf(values)
  if (!isSingleRate) return { value, interval: bootstrapInterval(values, options) ?? null, method: 'bca' }
  const passed = values.reduce((sum, one) => sum + one, 0)
  return { value, interval: wilsonInterval({ passed, trials: values.length }, options.confidence) ?? null, method: 'wilson' }
}
