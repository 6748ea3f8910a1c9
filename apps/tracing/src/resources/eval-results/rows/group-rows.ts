import type { EvaluationTrials } from './evaluation-trials.ts'

/** A row with its trials. */
export interface ResultRow {
  row_digest: string
  /** The evaluations that have the row, in the order of the request. */
  evaluations: { index: number; trials: number[] }[]
}

/** A trial by its places: that of its evaluation in the request, and its own in the evaluation. */
export interface TrialPlace {
  evaluation: number
  trial: number
}

/** Groups trials by the digest of their row, in the order of the digests. */
export function groupRows(evaluations: readonly EvaluationTrials[]): ResultRow[] {
  const rows = new Map<string, ResultRow>()
  evaluations.forEach(({ trials }, index) => {
    trials.forEach(({ row_digest }, trial) => {
      const row = rows.get(row_digest) ?? { row_digest, evaluations: [] }
      if (row.evaluations.length === 0) rows.set(row_digest, row)
      const last = row.evaluations.at(-1)
      if (last?.index === index) last.trials.push(trial)
      else row.evaluations.push({ index, trials: [trial] })
    })
  })
  return [...rows.values()].sort((one, other) => (one.row_digest < other.row_digest ? -1 : 1))
}

/** The trials of a row, in the order of the request and then of their start. `scope`: only those of this evaluation. */
export function* trialsOf(row: ResultRow, scope?: number | null): Generator<TrialPlace> {
  for (const { index, trials } of row.evaluations) {
    if (typeof scope === 'number' && index !== scope) continue
    for (const trial of trials) yield { evaluation: index, trial }
  }
}
