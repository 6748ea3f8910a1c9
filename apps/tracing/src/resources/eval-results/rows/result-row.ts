import type { RowTrial } from '../../../query/results/trials-in.ts'

/** A predict-and-score call without its payloads. */
export interface TrialKey {
  id: string
  started_micros: number
  /** 64-bit integer as text. */
  version: string
  /** Bytes of the payloads. */
  bytes: number
}

/** A row with its trials. */
export interface ResultRow {
  row_digest: string
  /** The evaluations that have the row, by their place in the request and in its order; trials by their start and then id. */
  evaluations: { index: number; trials: TrialKey[] }[]
}

/** Rows with their trials, in the order of `digests`. Rows whose trials vanished meanwhile are left out. */
export function toResultRows(digests: readonly string[], trials: readonly RowTrial[]): ResultRow[] {
  const rows = new Map<string, Map<number, TrialKey[]>>(digests.map((digest) => [digest, new Map()]))
  for (const { row_digest, place, ...key } of trials) {
    const evaluations = rows.get(row_digest)
    const own = evaluations?.get(Number(place)) ?? []
    if (own.push(key) === 1) evaluations?.set(Number(place), own)
  }
  return [...rows].flatMap(([row_digest, evaluations]) =>
    evaluations.size === 0 ? [] : [{ row_digest, evaluations: inOrder(evaluations) }],
  )
}

function inOrder(evaluations: ReadonlyMap<number, TrialKey[]>): ResultRow['evaluations'] {
  return [...evaluations]
    .sort(([one], [other]) => one - other)
    .map(([index, trials]) => ({ index, trials: trials.sort((a, b) => a.started_micros - b.started_micros || (a.id < b.id ? -1 : 1)) }))
}

/** The trials of a row, in the order of the request and then of their start. */
export function trialsOf(row: ResultRow): TrialKey[] {
  return row.evaluations.flatMap(({ trials }) => trials)
}
