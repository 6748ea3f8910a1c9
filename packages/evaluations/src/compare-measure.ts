import { type Estimate, estimate, type EstimateOptions } from './estimate.ts'
import { type Measure, valueAt } from './measure.ts'
import { mcnemarExact } from './statistics/mcnemar-exact.ts'
import { type PairedCounts, rowsOf } from './statistics/paired-counts.ts'
import { pairedRateInterval } from './statistics/paired-rate-interval.ts'

/** How one score differs between two runs, on the rows that have it in both. */
export interface PairedDifference {
  paired_rows: number
  /** B minus A. */
  difference: Estimate
  /** p-value of the exact McNemar test, for rates of one trial per row; null otherwise. */
  p_value: number | null
  higher_rows: number
  lower_rows: number
}

/** One score of two runs, on the rows that have it in both. */
export interface MeasureComparison extends PairedDifference {
  name: string
  /** All values are booleans: the means are rates. */
  is_rate: boolean
  /** Rows with a value in this run alone. */
  only_a: number
  only_b: number
  a: Estimate
  b: Estimate
}

/** B minus A for a row that both have. */
export interface RowDifference {
  row: number
  a: number
  b: number
  difference: number
}

/** The rows that have a value in both runs, in their order. */
export function pairRows(a: Measure, b: Measure): RowDifference[] {
  const pairs: RowDifference[] = []
  const rows = Math.min(a.byRow.length, b.byRow.length)
  for (let row = 0; row < rows; row++) {
    const pair = { a: valueAt(a, row), b: valueAt(b, row) }
    if (!Number.isNaN(pair.a + pair.b)) pairs.push({ row, ...pair, difference: pair.b - pair.a })
  }
  return pairs
}

/** Compares what the runs measured under one name; undefined where no row has it in both. */
export function compareMeasure(a: Measure, b: Measure, options: EstimateOptions): MeasureComparison | undefined {
  const pairs = pairRows(a, b)
  if (pairs.length === 0) return undefined
  const ofRun = (run: 'a' | 'b') =>
    estimate(
      pairs.map((pair) => pair[run]),
      areSingleRates(a, b),
      options,
    )
  return {
    name: a.name,
    is_rate: a.isRate && b.isRate,
    only_a: countValues(a) - pairs.length,
    only_b: countValues(b) - pairs.length,
    a: ofRun('a'),
    b: ofRun('b'),
    ...differenceOf(pairs, areSingleRates(a, b), options),
  }
}

/** Only the difference of such a comparison, at a third of its cost; undefined if no row has the measure in both. */
export function pairedDifference(a: Measure, b: Measure, options: EstimateOptions): PairedDifference | undefined {
  const pairs = pairRows(a, b)
  return pairs.length === 0 ? undefined : differenceOf(pairs, areSingleRates(a, b), options)
}

function differenceOf(pairs: readonly RowDifference[], areSingle: boolean, options: EstimateOptions): PairedDifference {
  const counts = countPairs(pairs)
  const differences = pairs.map((pair) => pair.difference)
  return {
    paired_rows: pairs.length,
    difference: areSingle ? rateDifference(counts, options) : estimate(differences, false, options),
    p_value: areSingle ? mcnemarExact(counts) : null,
    higher_rows: differences.filter((difference) => difference > 0).length,
    lower_rows: differences.filter((difference) => difference < 0).length,
  }
}

const areSingleRates = (a: Measure, b: Measure) => [a, b].every(({ isRate, isSingle }) => isRate && isSingle)

function rateDifference(counts: PairedCounts, { confidence }: EstimateOptions): Estimate {
  const value = (counts.onlySecond - counts.onlyFirst) / rowsOf(counts)
  return { value, interval: pairedRateInterval(counts, confidence) ?? null, method: 'newcombe' }
}

function countPairs(pairs: readonly RowDifference[]): PairedCounts {
  const count = (a: number, b: number) => pairs.filter((pair) => pair.a === a && pair.b === b).length
  return { both: count(1, 1), onlyFirst: count(1, 0), onlySecond: count(0, 1), neither: count(0, 0) }
}

function countValues({ byRow }: Measure): number {
  return byRow.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0)
}
