import type { Clock } from '../../terminal/clock.ts'
import type { EvaluationRun, MeasureReport } from '@heddle/evaluations'
import { formatTable } from '../../terminal/table.ts'
import { toTerminalText } from '../../terminal/terminal-text.ts'
import { formatDuration } from '../../terminal/measures.ts'
import { drawHistogram } from '../present/histogram.ts'
import { formatInterval, formatNumber, formatShare } from '../present/number-text.ts'
import { countText, nameText, runLine } from '../present/run-text.ts'
import { valueText } from '../present/value-text.ts'
import type { Example } from '../read/read-examples.ts'

/** A run with its results, as `heddle eval show` prints it. */
export interface RunReport {
  run: EvaluationRun
  rows: number
  trials: number
  confidence: number
  seed: number
  measures: MeasureReport[]
  /** Seconds over rows; null where unknown. */
  latency_seconds: { median: number; p95: number } | null
  /** Sum over trials; null where unknown. */
  total_tokens: number | null
  /** Rows with the lowest values of the chosen score, with their value. */
  lowest_rows: { name: string | null; rows: (Example & { value: number })[] }
}

/** The report as text; `values` are those of the chosen score, for its chart. */
export function formatReport(report: RunReport, values: readonly number[], clock: Clock): string {
  const { run, rows, trials, measures } = report
  const parts = [runLine(run, clock), ...(run.exception === null ? [] : [`✗ ${valueText(run.exception)}`])]
  if (rows === 0) return [...parts, 'No rows yet.'].join('\n')
  const blocks = [[...parts, totalsLine(report)].join('\n'), formatMeasures(measures, { trials, confidence: report.confidence })]
  return [...blocks, ...chosenScore(report, values)].join('\n\n')
}

function totalsLine({ rows, trials, latency_seconds, total_tokens }: RunReport): string {
  const latency =
    latency_seconds === null ? [] : [`latency ${seconds(latency_seconds.median)} median, ${seconds(latency_seconds.p95)} 95th percentile`]
  const tokens = total_tokens === null ? [] : [countText(total_tokens, 'token')]
  return [countText(rows, 'row'), countText(trials, 'trial'), ...latency, ...tokens].join(' · ')
}

function formatMeasures(measures: readonly MeasureReport[], { trials, confidence }: { trials: number; confidence: number }): string {
  if (measures.length === 0) return `None of ${countText(trials, 'trial')} has a score.`
  const head = ['SCORE', 'MEAN', `${formatShare(confidence)} INTERVAL`, 'TRIALS', 'COVERAGE']
  const rows = measures.map((one) => {
    const format = (value: number) => formatNumber(value, one)
    return [nameText(one.name), format(one.value), formatInterval(one.interval, format), String(one.trials), formatShare(one.coverage)]
  })
  return formatTable({ head, rows, right: ['MEAN', 'TRIALS', 'COVERAGE'] })
}

function chosenScore({ lowest_rows, measures }: RunReport, values: readonly number[]): string[] {
  const measure = measures.find((one) => one.name === lowest_rows.name)
  if (!measure || values.length === 0) return []
  const name = nameText(measure.name)
  const format = (value: number) => formatNumber(value, measure)
  const head = ['ROW', 'SCORE', 'INPUTS', 'OUTPUT']
  const rows = lowest_rows.rows.map((row) => [
    toTerminalText(row.row_digest),
    format(row.value),
    valueText(row.inputs),
    valueText(row.outputs[0]),
  ])
  const chart = `Rows by ${name}\n${drawHistogram(values, format)}`
  return rows.length === 0 ? [chart] : [chart, `Rows with the lowest ${name}\n${formatTable({ head, rows, right: ['SCORE'] })}`]
}

function seconds(value: number): string {
  return formatDuration(value * 1_000_000)
}
