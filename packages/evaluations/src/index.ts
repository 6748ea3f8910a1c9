export {
  compareMeasure,
  type MeasureComparison,
  pairedDifference,
  type PairedDifference,
  pairRows,
  type RowDifference,
} from './compare-measure.ts'
export { type Estimate, estimate, type EstimateOptions, type IntervalMethod } from './estimate.ts'
export { type EvaluationRun, type RunCall, runCallColumns, toEvaluationRun } from './evaluation-run.ts'
export { isChosen } from './is-chosen.ts'
export { latencyMeasure, type Measure, type MeasuredRun, pickMeasures, scoresFirst, tokensMeasure, valueAt, valuesOf } from './measure.ts'
export { createMeasuredResults, type MeasuredResults, TooManyScores } from './measured-results.ts'
export { lowestRows, type MeasureReport, percentile, reportMeasures } from './run-report.ts'
export { scoreValues, type ScoreValue } from './score-values.ts'
export { bootstrapInterval, meanOf } from './statistics/bootstrap-interval.ts'
export type { Interval } from './statistics/interval.ts'
export { mcnemarExact } from './statistics/mcnemar-exact.ts'
export { type PairedCounts, rowsOf } from './statistics/paired-counts.ts'
export { pairedRateInterval } from './statistics/paired-rate-interval.ts'
export { createRandom } from './statistics/seeded-random.ts'
export { wilsonInterval } from './statistics/wilson-interval.ts'
