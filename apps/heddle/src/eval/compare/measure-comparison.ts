import { type EstimateOptions, pairRows } from '@heddle/evaluations'
import { chosenMeasure } from '../measures/chosen-measure.ts'
import { measureRuns } from '../measures/measure-runs.ts'
import { readRuns } from '../read/read-runs.ts'
import type { ResultsSource } from '../read/results-source.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { readChangedRows } from './changed-rows.ts'
import { type Comparison, compareRuns, createRowSets } from './comparison.ts'

interface ComparisonOptions {
  statistics: EstimateOptions
  /** Names of scores or scorers; empty means all. Chart and rows are of the first. */
  scorers: readonly string[]
  /** Rows of each kind that are read. */
  limit: number
  onStep: (step: string) => void
}

export interface MeasuredComparison {
  comparison: Comparison
  /** Differences of the chosen score, row by row. */
  differences: number[]
}

/** Reads both runs, and compares them row by row. @throws UsageError for a run or a score that is not there */
export async function measureComparison(
  source: ResultsSource,
  ids: readonly [string, string],
  { statistics, scorers, limit, onStep }: ComparisonOptions,
): Promise<MeasuredComparison> {
  const [a, b] = await readRuns(source, ids)
  if (!a || !b) throw new UsageError('two evaluation runs are needed')
  const { sets, add } = createRowSets()
  const results = await measureRuns(source, {
    runs: ids,
    scorers,
    onStep,
    onRow: ({ row_digest, evaluations }) => {
      const has = (id: string) => evaluations.some((one) => one.evaluation_call_id === id)
      add({ digest: row_digest, inA: has(a.id), inB: has(b.id) })
    },
  })
  const measures = compareRuns(results.runs, statistics, (name) => onStep(`Computing intervals: ${name}`))
  const name = chosenMeasure(measures, scorers)?.name
  const [first, second] = results.runs.map((run) => run.measures.get(name ?? ''))
  const pairs = first && second ? pairRows(first, second) : []
  const changes: Comparison['changes'] =
    name === undefined
      ? { name: null, regressions: [], improvements: [] }
      : await readChangedRows(source, { name, pairs, digests: results.digests, runs: ids, limit })
  return { comparison: { a, b, ...statistics, rows: sets, measures, changes }, differences: pairs.map((pair) => pair.difference) }
}
