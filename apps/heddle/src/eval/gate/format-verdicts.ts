import { formatTable } from '../../terminal/table.ts'
import { toTerminalText } from '../../terminal/terminal-text.ts'
import { formatDifference, formatInterval, formatNumber, formatShare } from '../present/number-text.ts'
import type { Verdict } from './judge-rule.ts'

/** The verdicts as a table, a line each, and under it why rules are undecided. */
export function formatVerdicts(verdicts: readonly Verdict[], confidence: number): string {
  const head = ['OUTCOME', 'RULE', 'VALUE', `${formatShare(confidence)} INTERVAL`, 'COVERAGE']
  const rows = verdicts.map((verdict) => [
    verdict.outcome,
    toTerminalText(verdict.rule),
    valueOf(verdict),
    intervalOf(verdict),
    verdict.coverage === null ? '' : formatShare(verdict.coverage),
  ])
  const reasons = verdicts.flatMap(({ rule, reason }) => (reason === null ? [] : [`${toTerminalText(rule)}: ${toTerminalText(reason)}`]))
  return [formatTable({ head, rows, right: ['VALUE', 'COVERAGE'] }), ...reasons].join('\n')
}

/** A verdict in one line, for reports of tests. */
export function verdictLine(verdict: Verdict): string {
  if (verdict.value === null) return verdict.reason ?? ''
  const interval = intervalOf(verdict)
  return [
    `value ${valueOf(verdict)}`,
    ...(interval === '' ? [] : [`interval ${interval}`]),
    ...(verdict.reason === null ? [] : [verdict.reason]),
  ].join('; ')
}

function valueOf(verdict: Verdict): string {
  return verdict.value === null ? '' : format(verdict)(verdict.value)
}

function intervalOf(verdict: Verdict): string {
  return formatInterval(verdict.interval, format(verdict))
}

function format(verdict: Verdict): (value: number) => string {
  return (value) => (verdict.is_change ? formatDifference(value, verdict) : formatNumber(value, verdict))
}
