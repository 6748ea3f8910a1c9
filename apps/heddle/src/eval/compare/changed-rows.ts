import { latencyMeasure, type RowDifference, tokensMeasure } from '@heddle/evaluations'
import { type Example, readExamples } from '../read/read-examples.ts'
import type { ResultsSource } from '../read/results-source.ts'
import type { ChangedRow, Comparison } from './comparison.ts'

interface ChangedRowsQuery {
  name: string
  pairs: readonly RowDifference[]
  digests: readonly string[]
  /** Ids of A and B. */
  runs: readonly string[]
  /** Rows of each kind. */
  limit: number
}

/** Reads the rows whose score changed most, the largest change first. Of latency and tokens less is better, of scores more. */
export async function readChangedRows(source: ResultsSource, wanted: ChangedRowsQuery): Promise<Comparison['changes']> {
  const { name, pairs, digests, runs, limit } = wanted
  const { lowered, raised } = largestChanges(pairs, limit)
  const examples = await readExamples(
    source,
    runs,
    [...lowered, ...raised].map(({ row }) => digests[row] ?? ''),
  )
  const toRow = (pair: RowDifference, place: number): ChangedRow => ({ ...(examples[place] as Example), ...changeOf(pair) })
  const lower = lowered.map(toRow)
  const higher = raised.map((pair, index) => toRow(pair, lowered.length + index))
  const isLessBetter = name === latencyMeasure || name === tokensMeasure
  return isLessBetter ? { name, regressions: higher, improvements: lower } : { name, regressions: lower, improvements: higher }
}

/** The rows with the lowest and the highest differences, the largest change first; unchanged rows are in neither. */
export function largestChanges(pairs: readonly RowDifference[], limit: number): { lowered: RowDifference[]; raised: RowDifference[] } {
  const ordered = pairs.toSorted((one, other) => one.difference - other.difference || one.row - other.row)
  return {
    lowered: ordered.filter(({ difference }) => difference < 0).slice(0, limit),
    raised: ordered
      .filter(({ difference }) => difference > 0)
      .toSorted((one, other) => other.difference - one.difference || one.row - other.row)
      .slice(0, limit),
  }
}

function changeOf({ a, b, difference }: RowDifference) {
  return { a, b, difference }
}
