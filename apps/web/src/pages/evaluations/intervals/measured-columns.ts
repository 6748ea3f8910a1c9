import { type Estimate, estimate, type Measure, pairedDifference, type PairedDifference, valuesOf } from '@heddle/evaluations'

const statistics = { confidence: 0.95, seed: 1 }

/** One measure in one run, compared with the first run. */
export interface MeasuredColumn {
  mean: Estimate | undefined
  /** Undefined for the first run, and where no row has the measure in both. */
  comparison: PairedDifference | undefined
  isRate: boolean
}

/** A measure in all runs, undefined for runs without it. Intervals of thousands of rows take a second: not for the thread of a page. */
export function measureColumns(measures: readonly (Measure | undefined)[]): MeasuredColumn[] {
  const [first] = measures
  return measures.map((own, place) => ({
    mean: own && meanOf(own),
    comparison: place > 0 && first && own ? pairedDifference(first, own, statistics) : undefined,
    isRate: own?.isRate ?? false,
  }))
}

function meanOf(measure: Measure): Estimate | undefined {
  const values = valuesOf(measure)
  return values.length > 0 ? estimate(values, measure.isRate && measure.isSingle, statistics) : undefined
}
