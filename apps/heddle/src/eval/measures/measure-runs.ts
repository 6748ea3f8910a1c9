import { createMeasuredResults, type MeasuredResults, TooManyScores } from '@heddle/evaluations'
import type { EvalResultsRow } from '@heddle/core-api/types'
import { readRows } from '../read/read-rows.ts'
import type { ResultsSource } from '../read/results-source.ts'
import { UsageError } from '../../terminal/usage-error.ts'

interface MeasureOptions {
  /** Ids of the runs. */
  runs: readonly string[]
  /** Names of scores or scorers; empty means all. */
  scorers: readonly string[]
  onStep: (step: string) => void
  onRow?: (row: EvalResultsRow) => void
}

/**
 * Reads all rows of the runs and keeps the means of their scores; the rows themselves are gone with their page.
 * @throws UsageError when the runs have too many scores
 */
export async function measureRuns(source: ResultsSource, { runs, scorers, onStep, onRow }: MeasureOptions): Promise<MeasuredResults> {
  const results = createMeasuredResults(runs, scorers)
  for await (const row of readRows(source, runs, (read, total) => onStep(`Reading rows: ${read} of ${total}`))) {
    addRow(results, row)
    onRow?.(row)
  }
  return results
}

function addRow(results: MeasuredResults, row: EvalResultsRow): void {
  try {
    results.add(row)
  } catch (error) {
    throw error instanceof TooManyScores ? new UsageError(`${error.message}; choose some with --scorer`) : error
  }
}
