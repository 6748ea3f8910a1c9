import type { EvalResultsRow } from '@heddle/core-api'
import { createMeasuredResults, type MeasuredResults } from './measured-results.ts'
import { readRows } from '../read/read-rows.ts'
import type { ResultsSource } from '../read/results-source.ts'

interface Wanted {
  /** Ids of the runs. */
  runs: readonly string[]
  /** Names of scores or scorers; empty means all. */
  scorers: readonly string[]
  onStep: (step: string) => void
  onRow?: (row: EvalResultsRow) => void
}

/** Reads all rows of the runs and keeps the means of their scores; the rows themselves are gone with their page. */
export async function measureRuns(source: ResultsSource, { runs, scorers, onStep, onRow }: Wanted): Promise<MeasuredResults> {
  const results = createMeasuredResults(runs, scorers)
  for await (const row of readRows(source, runs, (read, total) => onStep(`Reading rows: ${read} of ${total}`))) {
    results.add(row)
    onRow?.(row)
  }
  return results
}
