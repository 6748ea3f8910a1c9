import type { MeasureComparison } from '@heddle/evaluations'
import type { Clock } from '../../terminal/clock.ts'
import { formatTable } from '../../terminal/table.ts'
import { toTerminalText } from '../../terminal/terminal-text.ts'
import { drawHistogram } from '../present/histogram.ts'
import { formatDifference, formatInterval, formatNumber, formatProbability, formatShare, type NumberKind } from '../present/number-text.ts'
import { countText, nameText, runLine } from '../present/run-text.ts'
import { valueText } from '../present/value-text.ts'
import type { ChangedRow, Comparison, RowSets } from './comparison.ts'

/** Digests printed of rows that one run alone has. */
const namedRows = 3

/** The comparison as text; `differences` are those of the chosen score, for its chart. */
export function formatComparison(comparison: Comparison, differences: readonly number[], clock: Clock): string {
  const { a, b, rows, measures, confidence } = comparison
  const heading = [`A  ${runLine(a, clock)}`, `B  ${runLine(b, clock)}`, rowsLine(rows)].join('\n')
  if (measures.length === 0) return `${heading}\n\nNo row has the same score in both runs.`
  return [heading, formatMeasures(measures, confidence), ...chosenScore(comparison, differences)].join('\n\n')
}

function rowsLine({ both, only_a, only_b }: RowSets): string {
  const only = (run: string, { count, row_digests }: RowSets['only_a']) => {
    if (count === 0) return []
    const named = row_digests.slice(0, namedRows).map(toTerminalText).join(', ')
    return [`${count} only in ${run} (${named}${count > namedRows ? ', …' : ''})`]
  }
  return [`${countText(both, 'row')} in both`, ...only('A', only_a), ...only('B', only_b)].join(' · ')
}

function formatMeasures(measures: readonly MeasureComparison[], confidence: number): string {
  const head = ['SCORE', 'ROWS', 'A', 'B', 'B - A', `${formatShare(confidence)} INTERVAL`, 'P', 'UP', 'DOWN', 'NOT PAIRED']
  const rows = measures.map((one) => {
    const format = (value: number) => formatNumber(value, one)
    const formatSigned = (value: number) => formatDifference(value, one)
    const side = ({ value, interval }: MeasureComparison['a']) => [format(value), ...wrap(formatInterval(interval, format))].join(' ')
    return [
      nameText(one.name),
      String(one.paired_rows),
      side(one.a),
      side(one.b),
      formatSigned(one.difference.value),
      formatInterval(one.difference.interval, formatSigned),
      one.p_value === null ? '' : formatProbability(one.p_value),
      String(one.higher_rows),
      String(one.lower_rows),
      one.only_a + one.only_b === 0 ? '' : `${one.only_a} A, ${one.only_b} B`,
    ]
  })
  return formatTable({ head, rows, right: ['ROWS', 'B - A', 'P', 'UP', 'DOWN'] })
}

function wrap(interval: string): string[] {
  return interval === '' ? [] : [`(${interval})`]
}

function chosenScore({ changes, measures }: Comparison, differences: readonly number[]): string[] {
  const measure = measures.find((one) => one.name === changes.name)
  if (!measure) return []
  const name = nameText(measure.name)
  return [
    `Rows by the difference of ${name}, B - A\n${drawHistogram(differences, (value) => formatDifference(value, measure))}`,
    ...formatRows(`Worst regressions of ${name}`, changes.regressions, measure),
    ...formatRows(`Best improvements of ${name}`, changes.improvements, measure),
  ]
}

function formatRows(title: string, rows: readonly ChangedRow[], kind: NumberKind): string[] {
  if (rows.length === 0) return []
  const head = ['ROW', 'A', 'B', 'INPUTS', 'OUTPUT OF A', 'OUTPUT OF B']
  const lines = rows.map((row) => [
    toTerminalText(row.row_digest),
    formatNumber(row.a, kind),
    formatNumber(row.b, kind),
    valueText(row.inputs),
    ...row.outputs.map(valueText),
  ])
  return [`${title}\n${formatTable({ head, rows: lines, right: ['A', 'B'] })}`]
}
