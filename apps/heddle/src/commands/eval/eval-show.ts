import { printJson } from '@heddle/json/exact'
import { createClock } from '../../terminal/clock.ts'
import {
  type EstimateOptions,
  type EvaluationRun,
  latencyMeasure,
  lowestRows,
  type MeasuredRun,
  percentile,
  reportMeasures,
  scoresFirst,
  valueAt,
  valuesOf,
} from '@heddle/evaluations'
import { formatReport, type RunReport } from '../../eval/show/format-report.ts'
import { chosenMeasure } from '../../eval/measures/chosen-measure.ts'
import { readExamples } from '../../eval/read/read-examples.ts'
import { readNewestRuns, readRuns } from '../../eval/read/read-runs.ts'
import { readSummary } from '../../eval/read/read-summary.ts'
import type { ResultsSource } from '../../eval/read/results-source.ts'
import { withSteps } from '../../terminal/progress.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { noRuns } from './eval-list.ts'
import { parseWhole } from '../../terminal/parse-whole.ts'
import { type EvalDeps, type EvalOptions, openResults, parseStatistics, type StatisticsOptions } from './eval-options.ts'
import { measureRuns } from '../../eval/measures/measure-runs.ts'

type ShowOptions = EvalOptions & StatisticsOptions & { scorer?: string[]; rows: string }

/** Prints one evaluation run: the one with this id, or the newest. */
export async function showEvaluation(id: string | undefined, options: ShowOptions, deps: EvalDeps): Promise<void> {
  const statistics = parseStatistics(options)
  const limit = parseWhole('--rows', options.rows, { from: 0, to: 100 })
  const source = await openResults(options, deps)
  const [run] = id === undefined ? await readNewestRuns(source, 1) : await readRuns(source, [id])
  if (!run) throw new UsageError(noRuns(options.project))
  const { report, values } = await withSteps(deps.terminal, (onStep) =>
    createReport(source, run, { statistics, limit, scorers: options.scorer ?? [], onStep }),
  )
  if (options.json) deps.terminal.json(printJson(report))
  else deps.terminal.out(formatReport(report, values, createClock(deps.configuration.timeZone)))
}

interface ReportOptions {
  statistics: EstimateOptions
  limit: number
  scorers: string[]
  onStep: (step: string) => void
}

async function createReport(source: ResultsSource, run: EvaluationRun, { statistics, limit, scorers, onStep }: ReportOptions) {
  const { digests, runs } = await measureRuns(source, { runs: [run.id], scorers, onStep })
  const measured: MeasuredRun = runs[0] ?? { rows: 0, trials: 0, measures: new Map() }
  onStep('Computing intervals')
  const measures = reportMeasures(measured, statistics)
  const chosen = chosenMeasure(scoresFirst(measured), scorers)
  const lowest = chosen ? lowestRows(chosen, limit) : []
  const examples = await readExamples(
    source,
    [run.id],
    lowest.map((row) => digests[row] ?? ''),
  )
  const { evaluation } = await readSummary(source, run.id)
  const report: RunReport = {
    run,
    rows: measured.rows,
    trials: measured.trials,
    confidence: statistics.confidence,
    seed: statistics.seed,
    measures,
    latency_seconds: latencyOf(measured),
    total_tokens: evaluation?.predict_total_tokens ?? null,
    lowest_rows: {
      name: chosen?.name ?? null,
      rows: examples.map((example, index) => ({ ...example, value: chosen ? valueAt(chosen, lowest[index] ?? -1) : Number.NaN })),
    },
  }
  return { report, values: chosen ? valuesOf(chosen) : [] }
}

function latencyOf({ measures }: MeasuredRun): RunReport['latency_seconds'] {
  const latency = measures.get(latencyMeasure)
  if (!latency) return null
  const values = valuesOf(latency)
  return { median: percentile(values, 0.5), p95: percentile(values, 0.95) }
}
