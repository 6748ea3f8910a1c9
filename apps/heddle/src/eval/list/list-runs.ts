import type { EvaluationRun } from '@heddle/evaluations'
import type { EvalScorerStats } from '@heddle/core-api/types'
import type { Clock } from '../../terminal/clock.ts'
import { formatTable } from '../../terminal/table.ts'
import { toTerminalText } from '../../terminal/terminal-text.ts'
import { formatNumber } from '../present/number-text.ts'
import { durationText, nameText, startOf } from '../present/run-text.ts'
import type { RunSummary } from '../read/read-summary.ts'

/** Scores shown of one run; JSON has the first 20. */
const shownScores = 3
const listedScores = 20

/** A run with what the server counts of it. */
export interface ListedRun extends EvaluationRun {
  rows: number
  trials: number
  /** Mean over the trials with a value, by name; of booleans the share of true. The first 20 in the order of their first occurrence. */
  scores: Record<string, ListedScore>
}

interface ListedScore {
  value: number
  is_rate: boolean
}

export function toListedRun(run: EvaluationRun, { rows, evaluation }: RunSummary): ListedRun {
  const stats = (evaluation?.scorer_stats ?? []).flatMap((one) => {
    const value = one.pass_rate ?? one.numeric_mean
    return value === null ? [] : [[nameOf(one), { value, is_rate: one.pass_rate !== null }] as const]
  })
  return { ...run, rows, trials: evaluation?.trial_count ?? 0, scores: Object.fromEntries(stats.slice(0, listedScores)) }
}

/** The runs as a table, a line each. */
export function formatRuns(runs: readonly ListedRun[], clock: Clock): string {
  const head = [`STARTED (${clock.zone})`, 'NAME', 'MODEL', 'STATUS', 'ROWS', 'TIME', 'SCORES', 'RUN']
  const rows = runs.map((run) => [
    clock.text(startOf(run)),
    nameText(run.name),
    nameText(run.model ?? ''),
    run.status,
    String(run.rows),
    durationText(run),
    scoresText(run),
    toTerminalText(run.id),
  ])
  return formatTable({ head, rows, right: ['ROWS', 'TIME'] })
}

function scoresText({ scores }: ListedRun): string {
  const all = Object.entries(scores)
  const shown = all.slice(0, shownScores).map(([name, { value, is_rate }]) => `${nameText(name)} ${formatNumber(value, { is_rate })}`)
  return [...shown, ...(all.length > shownScores ? ['…'] : [])].join(', ')
}

function nameOf({ scorer_key, path }: EvalScorerStats): string {
  return path === null ? scorer_key : `${scorer_key}.${path}`
}
