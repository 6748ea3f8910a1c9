import { type Estimate, estimate, type EstimateOptions } from './estimate.ts'
import { type Measure, type MeasuredRun, scoresFirst, valuesOf } from './measure.ts'
import { quantile } from './statistics/quantile.ts'

/** One score of a run, or its latency or tokens. */
export interface MeasureReport extends Estimate {
  name: string
  is_rate: boolean
  rows: number
  trials: number
  /** Share of all trials that have a value. */
  coverage: number
}

/** A report of each measure, scores first. Rows count once each, whatever the number of their trials. */
export function reportMeasures(run: MeasuredRun, options: EstimateOptions): MeasureReport[] {
  return scoresFirst(run).map((measure) => {
    const values = valuesOf(measure)
    return {
      name: measure.name,
      is_rate: measure.isRate,
      rows: values.length,
      trials: measure.trials,
      coverage: measure.trials / run.trials,
      ...estimate(values, measure.isRate && measure.isSingle, options),
    }
  })
}

/** The value below which a share of the values lies, interpolated between neighbours. `values` must not be empty. */
export function percentile(values: readonly number[], share: number): number {
  return quantile(
    values.toSorted((one, other) => one - other),
    share,
  )
}

/** Indexes of the rows with the lowest values, lowest first, at most `limit`; rows with the highest value of all are excluded. */
export function lowestRows({ byRow }: Measure, limit: number): number[] {
  let highest = -Infinity
  for (const value of byRow) if (value > highest) highest = value
  const places = byRow.flatMap((value, row) => (value < highest ? [row] : []))
  return places.toSorted((one, other) => (byRow[one] ?? 0) - (byRow[other] ?? 0)).slice(0, limit)
}
