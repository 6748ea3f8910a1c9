import { readChangedRows } from '../eval/compare/changed-rows.ts'
import { pairRows } from '../eval/compare/compare-measure.ts'
import { type Comparison, compareRuns, createRowSets } from '../eval/compare/comparison.ts'
import { formatComparison } from '../eval/compare/format-comparison.ts'
import { chosenMeasure } from '../eval/measures/chosen-measure.ts'
import { readRuns } from '../eval/read/read-runs.ts'
import { withSteps } from '../terminal/progress.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { type EvalDeps, type EvalOptions, openResults, parseStatistics, parseWhole, type StatisticsOptions } from './eval-options.ts'
import { measureRuns } from './measure-runs.ts'

type CompareOptions = EvalOptions & StatisticsOptions & { scorer?: string[]; rows: string }

/** Prints what changed from run A to run B, row by row. */
export async function compareEvaluations(ids: readonly [string, string], options: CompareOptions, deps: EvalDeps): Promise<void> {
  const statistics = parseStatistics(options)
  const limit = parseWhole('--rows', options.rows, { from: 0, to: 100 })
  if (ids[0] === ids[1]) throw new UsageError(`A and B must be different evaluation runs, got ${JSON.stringify(ids[0])} twice`)
  const source = await openResults(options, deps)
  const [a, b] = await readRuns(source, ids)
  if (!a || !b) throw new UsageError('two evaluation runs are needed')
  const { sets, add } = createRowSets()
  const { comparison, differences } = await withSteps(deps.terminal, async (onStep) => {
    const results = await measureRuns(source, {
      runs: ids,
      scorers: options.scorer ?? [],
      onStep,
      onRow: ({ row_digest, evaluations }) => {
        const has = (id: string) => evaluations.some((one) => one.evaluation_call_id === id)
        add({ digest: row_digest, inA: has(a.id), inB: has(b.id) })
      },
    })
    const measures = compareRuns(results.runs, statistics, (name) => onStep(`Computing intervals: ${name}`))
    const name = chosenMeasure(measures, options.scorer ?? [])?.name
    const [first, second] = results.runs.map((run) => run.measures.get(name ?? ''))
    const pairs = first && second ? pairRows(first, second) : []
    const changes: Comparison['changes'] =
      name === undefined
        ? { name: null, regressions: [], improvements: [] }
        : await readChangedRows(source, { name, pairs, digests: results.digests, runs: ids, limit })
    return { comparison: { a, b, ...statistics, rows: sets, measures, changes }, differences: pairs.map((pair) => pair.difference) }
  })
  deps.terminal.out(options.json ? JSON.stringify(comparison, null, 2) : formatComparison(comparison, differences))
}
