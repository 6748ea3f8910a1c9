import { printJson } from '@heddle/json/exact'
import { createClock } from '../../terminal/clock.ts'
import { formatComparison } from '../../eval/compare/format-comparison.ts'
import { measureComparison } from '../../eval/compare/measure-comparison.ts'
import { withSteps } from '../../terminal/progress.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { parseWhole } from '../../terminal/parse-whole.ts'
import { type EvalDeps, type EvalOptions, openResults, parseStatistics, type StatisticsOptions } from './eval-options.ts'

type CompareOptions = EvalOptions & StatisticsOptions & { scorer?: string[]; rows: string }

/** Prints what changed from run A to run B, row by row. */
export async function compareEvaluations(ids: readonly [string, string], options: CompareOptions, deps: EvalDeps): Promise<void> {
  const statistics = parseStatistics(options)
  const limit = parseWhole('--rows', options.rows, { from: 0, to: 100 })
  if (ids[0] === ids[1]) throw new UsageError(`A and B must be different evaluation runs, got ${JSON.stringify(ids[0])} twice`)
  const source = await openResults(options, deps)
  const { comparison, differences } = await withSteps(deps.terminal, (onStep) =>
    measureComparison(source, ids, { statistics, scorers: options.scorer ?? [], limit, onStep }),
  )
  if (options.json) deps.terminal.json(printJson(comparison))
  else deps.terminal.out(formatComparison(comparison, differences, createClock(deps.configuration.timeZone)))
}
