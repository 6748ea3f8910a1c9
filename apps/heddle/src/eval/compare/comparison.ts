import {
  compareMeasure,
  type EstimateOptions,
  type EvaluationRun,
  type MeasureComparison,
  type MeasuredRun,
  scoresFirst,
} from '@heddle/evaluations'
import type { Example } from '../read/read-examples.ts'

/** Digests named of rows that one run alone has. */
const maxNamed = 1_000

/** Two runs on the rows of both, as `heddle eval compare` prints them. */
export interface Comparison {
  a: EvaluationRun
  b: EvaluationRun
  confidence: number
  seed: number
  rows: RowSets
  /** Scores first, then latency and tokens; only what some row has in both runs. */
  measures: MeasureComparison[]
  /** Rows whose chosen score changed most, the largest change first. */
  changes: { name: string | null; regressions: ChangedRow[]; improvements: ChangedRow[] }
}

/** Rows by the runs that have them. */
export interface RowSets {
  both: number
  only_a: { count: number; row_digests: string[] }
  only_b: { count: number; row_digests: string[] }
}

export interface ChangedRow extends Example {
  a: number
  b: number
  difference: number
}

/** Collects which rows are in which run, with the first 1000 digests of those that one alone has. */
export function createRowSets(): { sets: RowSets; add(row: { digest: string; inA: boolean; inB: boolean }): void } {
  const sets: RowSets = { both: 0, only_a: { count: 0, row_digests: [] }, only_b: { count: 0, row_digests: [] } }
  return {
    sets,
    add({ digest, inA, inB }) {
      if (inA && inB) return void sets.both++
      const set = inA ? sets.only_a : sets.only_b
      set.count++
      if (set.row_digests.length < maxNamed) set.row_digests.push(digest)
    },
  }
}

/** Compares all that two runs measured; of one run alone nothing. `onMeasure` is called with each name before its turn: 100,000 rows take seconds. */
export function compareRuns(
  [first, second]: readonly MeasuredRun[],
  options: EstimateOptions,
  onMeasure: (name: string) => void,
): MeasureComparison[] {
  if (!first || !second) return []
  return scoresFirst(first).flatMap((a) => {
    const b = second.measures.get(a.name)
    onMeasure(a.name)
    return (b && compareMeasure(a, b, options)) ?? []
  })
}
